import Dispatch

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Tells what is typed and which signals come, for as long as it lives.
final class TerminalSources {
    private var sources: [any DispatchSourceProtocol] = []

    init(_ descriptor: Int32, _ tell: @escaping @Sendable (ChatShell.Input) -> Void) {
        let queue = DispatchQueue(label: "terminal")
        if Self.isAlwaysReady(descriptor) {
            queue.async {
                while let bytes = TerminalDevice.read(descriptor) { tell(.typed(bytes)) }
                tell(.terminalGone)
            }
        } else {
            sources.append(Self.keys(descriptor, queue, tell))
        }
        for number in [SIGWINCH, SIGCONT, SIGTSTP, SIGTERM, SIGINT, SIGQUIT, SIGHUP] {
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { tell(.signalled(number)) }
            source.resume()
            sources.append(source)
        }
    }

    /// Whether it is a device such as /dev/null: nobody can wait until one of these can be read (epoll_ctl(2), EPERM).
    private static func isAlwaysReady(_ descriptor: Int32) -> Bool {
        var info = stat()
        return fstat(descriptor, &info) == 0 && info.st_mode & S_IFMT == S_IFCHR && isatty(descriptor) == 0
    }

    private static func keys(
        _ descriptor: Int32,
        _ queue: DispatchQueue,
        _ tell: @escaping @Sendable (ChatShell.Input) -> Void
    ) -> any DispatchSourceProtocol {
        let keys = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        // A terminal that is gone stays readable for ever: it is told once.
        nonisolated(unsafe) let ending = keys
        keys.setEventHandler {
            repeat {
                guard let bytes = TerminalDevice.read(descriptor) else {
                    ending.cancel()
                    return tell(.terminalGone)
                }
                if !bytes.isEmpty { tell(.typed(bytes)) }
                // The source does not tell the end of a pipe that was closed before it began.
            } while TerminalDevice.isHungUp(descriptor)
        }
        keys.resume()
        return keys
    }

    /// Tells nothing from now on. Calling it also keeps the sources until then.
    func cancel() {
        for source in sources { source.cancel() }
        sources = []
    }
}
