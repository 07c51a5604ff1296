import Dispatch
package import ParlanceWire

/// An address of this machine, and the interface that has it.
package struct MachineAddress: Equatable, Sendable {
    package var interface: String
    package var address: NumericAddress

    package init(interface: String, address: NumericAddress) {
        self.interface = interface
        self.address = address
    }

    /// The addresses of interfaces that are up, without loopback.
    package static func all() -> [MachineAddress] { of(NetworkMonitor.addresses()) }

    /// The interfaces of a network that could pass multicast on and do not: it was switched off.
    package static func interfacesWithoutMulticast() -> [String] { NetworkMonitor.interfacesWithoutMulticast() }

    fileprivate static func of(_ addresses: [NetworkAddress]) -> [MachineAddress] {
        addresses.filter { !$0.isLoopback }.compactMap { address in
            NumericAddress(address.bytes).map { MachineAddress(interface: address.name, address: $0) }
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
