import CDNSSD
import Dispatch

/// Resolves one announcement through the system's service: first host, port and text, then the host's addresses.
/// Every reference is released after its answer, because Avahi's library keeps a thread for each. Use a lookup only on
/// the queue that it is given.
final class SystemLookup: @unchecked Sendable {
    private let place: ServiceRecord.Place
    private let library: SystemLibrary
    private let queue: DispatchQueue
    private let live: DispatchGroup
    private var ended: ((ServiceRecord?) -> Void)?
    private var operations: [SystemOperation] = []
    private var record: ServiceRecord?

    /// How long the answer with host, port and text may take.
    static let resolveTime = DispatchTimeInterval.seconds(6)
    /// How long the first address may take.
    static let addressTime = DispatchTimeInterval.milliseconds(2_000)
    /// How long to wait for further addresses after the first; most of them are known by then.
    static let furtherTime = DispatchTimeInterval.milliseconds(200)
    /// The most addresses collected.
    static let maximumAddresses = 16

    /// - Parameter ended: called once, unless it is stopped, with the record if one with addresses was found.
    init(
        place: ServiceRecord.Place,
        library: SystemLibrary,
        queue: DispatchQueue,
        live: DispatchGroup,
        ended: @escaping (ServiceRecord?) -> Void
    ) {
        self.library = library
        self.place = place
        self.queue = queue
        self.live = live
        self.ended = ended
    }

    func start() {
        finish(after: Self.resolveTime, unless: { $0.record != nil })
        let operation = SystemOperation(library: library, queue: queue, live: live) { [weak self] in self?.resolved($0)
        }
        operations = [operation]
        operation.resolve(place)
    }

    func stop() {
        ended = nil
        for operation in operations { operation.stop() }
        operations = []
    }

    private func resolved(_ answer: SystemAnswer) {
        guard case .resolved(let host, let port, let text) = answer, let strings = ServiceText.strings(text) else {
            return finish()
        }
        for operation in operations { operation.stop() }
        record = ServiceRecord(place: place, port: port, text: strings, addresses: [])
        finish(after: Self.addressTime, unless: { _ in false })
        operations = [kDNSServiceType_A, kDNSServiceType_AAAA].map { type in
            let operation = SystemOperation(library: library, queue: queue, live: live) { [weak self] in
                self?.received($0)
            }
            operation.addresses(of: host, type: UInt16(type), interface: place.interface)
            return operation
        }
    }

    private func received(_ answer: SystemAnswer) {
        guard case .address(let bytes) = answer, let record, record.addresses.count < Self.maximumAddresses else {
            return
        }
        if record.addresses.isEmpty { finish(after: Self.furtherTime, unless: { _ in false }) }
        if !record.addresses.contains(bytes) { self.record?.addresses.append(bytes) }
    }

    private func finish(after time: DispatchTimeInterval, unless isStale: @escaping @Sendable (SystemLookup) -> Bool) {
        queue.asyncAfter(deadline: .now() + time) { [weak self] in
            if let self, !isStale(self) { finish() }
        }
    }

    private func finish() {
        let receiver = ended
        stop()
        receiver?(record.flatMap { $0.addresses.isEmpty ? nil : $0 })
    }
}
