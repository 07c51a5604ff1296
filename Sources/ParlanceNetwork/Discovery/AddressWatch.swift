import Dispatch
package import ParlanceWire

/// An address of this machine, and the interface that has it.
package struct MachineAddress: Equatable, Sendable {
    package var interface: String
    package var address: NumericAddress
    /// Whether the interface joins only containers or virtual machines of this machine.
    package var isInner = false

    package init(interface: String, address: NumericAddress, isInner: Bool = false) {
        self.interface = interface
        self.address = address
        self.isInner = isInner
    }

    /// The addresses of interfaces that are up, without loopback.
    package static func all() -> [MachineAddress] { of(NetworkMonitor.addresses()) }

    /// The interfaces of a network that could pass multicast on and do not: it was switched off.
    package static func interfacesWithoutMulticast() -> [String] { NetworkMonitor.interfacesWithoutMulticast() }

    fileprivate static func of(_ addresses: [NetworkAddress]) -> [MachineAddress] {
        let outer = addresses.filter { !$0.isLoopback }
        let inner = Set(outer.map(\.name)).filter { InnerBridge.isNamed($0) }
        return outer.compactMap { address in
            NumericAddress(address.bytes).map {
                MachineAddress(interface: address.name, address: $0, isInner: inner.contains(address.name))
            }
        }
    }
}

/// Reports the addresses of this machine, and reports them again whenever they change.
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
