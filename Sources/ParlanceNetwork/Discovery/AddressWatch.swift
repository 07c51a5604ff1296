import Dispatch
package import ParlanceWire

/// An address of this machine, and the interface that has it.
package struct MachineAddress: Equatable, Sendable {
    package var interface: String
    package var address: NumericAddress
    /// Whether the interface joins only containers or virtual machines of this machine.
    package var isInner = false
    /// Whether the interface has a carrier: without one, nobody is reached by this address for now.
    package var isRunning = true

    package init(interface: String, address: NumericAddress, isInner: Bool = false, isRunning: Bool = true) {
        self.interface = interface
        self.address = address
        self.isInner = isInner
        self.isRunning = isRunning
    }

    /// The addresses of interfaces that are up and have a carrier, without loopback.
    package static func all() -> [MachineAddress] { of(NetworkMonitor.addresses()).filter(\.isRunning) }

    /// The interfaces that have an address and no link: a cable or Wi-Fi is missing, or they are switched off.
    package static func interfacesWithoutLink() -> [String] { NetworkMonitor.interfacesWithoutLink() }

    /// The interfaces of a network that could pass multicast on and do not: it was switched off.
    package static func interfacesWithoutMulticast() -> [String] { NetworkMonitor.interfacesWithoutMulticast() }

    fileprivate static func of(_ addresses: [NetworkAddress]) -> [MachineAddress] {
        let outer = addresses.filter { !$0.isLoopback }
        let inner = Set(outer.map(\.name)).filter { InnerBridge.isNamed($0) }
        return outer.compactMap { address in
            NumericAddress(address.bytes).map {
                MachineAddress(
                    interface: address.name,
                    address: $0,
                    isInner: inner.contains(address.name),
                    isRunning: address.isRunning
                )
            }
        }
    }
}

/// Reports the addresses of the interfaces that are up, without loopback, and reports them again whenever they change.
package struct AddressWatch: Sendable {
    private let queue = DispatchQueue(label: "parlance.addresses")

    package init() {}

    /// Runs until the task is cancelled.
    package func run(handler: @escaping @Sendable ([MachineAddress]) -> Void) async {
        let monitor = NetworkMonitor(queue: queue) { handler(MachineAddress.of($0)) }
        queue.async { handler(MachineAddress.of(monitor.start().addresses)) }
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        await withTaskCancellationHandler {
            for await _ in ends {}
        } onCancel: {
            end.finish()
        }
        queue.async { monitor.stop() }
    }
}
