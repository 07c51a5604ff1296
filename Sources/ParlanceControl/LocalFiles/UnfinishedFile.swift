import Dispatch
package import ParlanceWords
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A file that a command has begun and that has no use unless it is finished: a signal that ends the process removes it.
///
/// It relies on the threads of a program whose `main` is asynchronous: all of them block signals, and these sources take
/// them. Signals that the process ignores, as under `nohup`, stay ignored.
package final class UnfinishedFile {
    private var sources: [any DispatchSourceProtocol] = []
    private let paths: Paths

    private final class Paths: Sendable {
        let all: Mutex<[UserPath]?>
        private let known = DispatchSemaphore(value: 0)

        init(_ paths: [UserPath]?) { all = Mutex(paths) }

        func begun(_ paths: [UserPath]) {
            all.withLock { $0 = paths }
            known.signal()
        }

        /// Waits for those of a file that is being made. Whoever waits longer waits for another process, which has the
        /// draft: nothing of one's own is there.
        func whenBegun() -> [UserPath] {
            if all.withLock({ $0 == nil }) { _ = known.wait(timeout: .now() + .seconds(1)) }
            return all.withLock { $0 ?? [] }
        }
    }

    /// - Parameter paths: where it is, or parts of it are; `nil` if it is being made, and `begun` comes.
    package init(_ paths: [UserPath]?) {
        self.paths = Paths(paths)
        let queue = DispatchQueue(label: "unfinished file")
        let registered = DispatchGroup()
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] where !Self.isIgnored(number) {
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [paths = self.paths] in
                for path in paths.whenBegun() { unlink(path.system) }
                Self.end(by: number)
            }
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
            source.resume()
            sources.append(source)
        }
        // Until then a signal would end the process as if nobody took it.
        registered.wait()
    }

    /// The file, or parts of it, are there from now on.
    package func begun(_ paths: [UserPath]) { self.paths.begun(paths) }

    deinit { finish() }

    /// The file is in its place.
    package func finish() {
        for source in sources { source.cancel() }
        sources = []
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return true }
        #if canImport(Glibc)
        let handler = action.__sigaction_handler.sa_handler
        #else
        let handler = action.__sigaction_u.__sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Ends the process by the signal, so that its parent sees by which one.
    private static func end(by number: Int32) {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        signal(number, SIG_DFL)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
    }
}
