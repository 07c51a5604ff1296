import CDNSSD
import Dispatch

/// The answers of a `DNSServiceRef`.
enum SystemAnswer {
    /// The announcement is published.
    case registered
    case browsed(isAdded: Bool, name: String, interface: UInt32)
    case resolved(host: String, port: UInt16, text: [UInt8])
    case address([UInt8])
    /// It broke with this `DNSServiceErrorType` and has been stopped.
    case failed(code: Int32)
}

/// One `DNSServiceRef` with the dispatch source that reads it.
/// Everything happens on the queue that it is given. Avahi's references must not be freed while they are processed, and
/// never in their own callbacks, so they are freed when the source has been cancelled. The type is not generic, because
/// a C callback cannot be made from a closure that captures generic parameters.
final class SystemOperation: @unchecked Sendable {
    private let library: ParlanceDNSSD
    private let queue: DispatchQueue
    private let live: DispatchGroup
    private var answer: ((SystemAnswer) -> Void)?
    private var source: (any DispatchSourceRead)?

    /// - Parameter live: entered while a reference exists, so that the owner can wait until all are freed.
    init(
        library: SystemLibrary,
        queue: DispatchQueue,
        live: DispatchGroup,
        answer: @escaping (SystemAnswer) -> Void
    ) {
        self.library = library.functions
        self.queue = queue
        self.live = live
        self.answer = answer
    }

    /// Makes the reference with `call`, which gets this operation as the context of its callback.
    func start(
        _ call: (UnsafeMutablePointer<DNSServiceRef?>, UnsafeMutableRawPointer) -> DNSServiceErrorType
    ) {
        let retained = Unmanaged.passRetained(self)
        var made: DNSServiceRef?
        let code = call(&made, retained.toOpaque())
        guard code == kDNSServiceErr_NoError, let made else {
            retained.release()
            return deliver(.failed(code: code == 0 ? Int32(kDNSServiceErr_Unknown) : code))
        }
        let reference = SystemReference(pointer: made)
        live.enter()
        let source = DispatchSource.makeReadSource(fileDescriptor: library.descriptor(made), queue: queue)
        source.setEventHandler { [unowned self] in process(reference) }
        source.setCancelHandler { [live, library] in
            library.deallocate(reference.pointer)
            retained.release()
            live.leave()
        }
        self.source = source
        source.resume()
        if answer == nil { stop() }
    }

    /// Ends the operation; there are no answers after that.
    func stop() {
        dispatchPrecondition(condition: .onQueue(queue))
        answer = nil
        source?.cancel()
        source = nil
    }

    func deliver(_ what: SystemAnswer) {
        dispatchPrecondition(condition: .onQueue(queue))
        let receiver = answer
        if case .failed = what { stop() }
        receiver?(what)
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> SystemOperation? {
        context.map { Unmanaged<SystemOperation>.fromOpaque($0).takeUnretainedValue() }
    }

    private func process(_ reference: SystemReference) {
        guard source != nil else { return }
        let code = library.processResult(reference.pointer)
        if code != kDNSServiceErr_NoError { deliver(.failed(code: code)) }
    }
}

/// A `DNSServiceRef` that closures of one queue may capture.
private struct SystemReference: @unchecked Sendable {
    let pointer: DNSServiceRef
}

// MARK: - The four kinds

// When the daemon or the bus goes away, Avahi calls back with an error and NULL strings: check the error before
// reading.
extension SystemOperation {
    func register(_ announcement: Announcement) {
        let text = announcement.text.wireBytes
        start {
            library.registerService(
                $0,
                0,
                0,
                announcement.name,
                serviceType,
                nil,
                nil,
                announcement.port.bigEndian,
                UInt16(clamping: text.count),
                text,
                { _, _, code, _, _, _, context in
                    let isWell = code == kDNSServiceErr_NoError
                    SystemOperation.from(context)?.deliver(isWell ? .registered : .failed(code: code))
                },
                $1
            )
        }
    }

    func browse() {
        start {
            library.browse(
                $0,
                0,
                0,
                serviceType,
                nil,
                { _, flags, interface, code, name, _, _, context in
                    guard let operation = SystemOperation.from(context) else { return }
                    guard code == kDNSServiceErr_NoError, let name else {
                        return operation.deliver(.failed(code: code))
                    }
                    let isAdded = flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0
                    operation.deliver(.browsed(isAdded: isAdded, name: String(cString: name), interface: interface))
                },
                $1
            )
        }
    }

    func resolve(_ place: ServiceRecord.Place) {
        start {
            library.resolve(
                $0,
                0,
                place.interface,
                place.instance,
                serviceType,
                "local",
                { _, _, _, code, _, host, port, count, text, context in
                    guard let operation = SystemOperation.from(context) else { return }
                    guard code == kDNSServiceErr_NoError, let host else {
                        return operation.deliver(.failed(code: code))
                    }
                    let bytes = Array(UnsafeBufferPointer(start: text, count: text == nil ? 0 : Int(count)))
                    operation.deliver(
                        .resolved(host: String(cString: host), port: UInt16(bigEndian: port), text: bytes)
                    )
                },
                $1
            )
        }
    }

    func addresses(of host: String, type: UInt16, interface: UInt32) {
        start {
            library.queryRecord(
                $0,
                0,
                interface,
                host,
                type,
                UInt16(kDNSServiceClass_IN),
                { _, flags, _, code, _, _, _, count, data, _, context in
                    guard let operation = SystemOperation.from(context) else { return }
                    guard code == kDNSServiceErr_NoError else { return operation.deliver(.failed(code: code)) }
                    guard flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0, let data else { return }
                    operation.deliver(.address(Array(UnsafeRawBufferPointer(start: data, count: Int(count)))))
                },
                $1
            )
        }
    }
}
