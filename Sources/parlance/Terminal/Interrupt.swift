import Dispatch

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Takes Ctrl-C while it lives.
final class Interrupt {
    private let source: any DispatchSourceSignal

    init(_ body: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: DispatchQueue(label: "interrupt"))
        let registered = DispatchGroup()
        registered.enter()
        source.setRegistrationHandler { registered.leave() }
        source.setEventHandler(handler: body)
        source.resume()
        // Until then a signal would end the process as if nobody took it.
        registered.wait()
        self.source = source
    }

    /// Ends the process as Ctrl-C does, with the exit code that shells give then.
    static func endProcess() { exit(130) }

    /// Ctrl-C ends the process again.
    func finish() { source.cancel() }

    deinit { finish() }
}
