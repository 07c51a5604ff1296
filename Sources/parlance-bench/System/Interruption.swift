import Foundation
import Synchronization

/// Cleans up when somebody interrupts the bench: ends the programs that it started and removes its folder.
enum Interruption {
    private struct State {
        var folder: String?
        var processes: Set<pid_t> = []
    }

    private static let state = Mutex(State())
    private static let graceMilliseconds: Int32 = 5_000

    /// Waits for signals on its own thread.
    ///
    /// Call it before any other thread exists, so that all threads block the signals.
    static func watch() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let awaited = signals
        Thread.detachNewThread {
            var awaited = awaited
            var signal: Int32 = 0
            while sigwait(&awaited, &signal) != 0 {}
            // Keep the lock until the end, so that no program starts and no failure is reported any more.
            state.withLock { state in
                end(state.processes)
                if let folder = state.folder { try? FileManager.default.removeItem(atPath: folder) }
                exit(128 + signal)
            }
        }
    }

    static func uses(folder: String) { state.withLock { $0.folder = folder } }
    static func started(_ process: pid_t) { state.withLock { _ = $0.processes.insert(process) } }
    static func ended(_ process: pid_t) { state.withLock { _ = $0.processes.remove(process) } }

    /// Does not return after a signal: the failures that follow it must not be reported.
    static func waitIfUnderWay() { state.withLock { _ in } }

    /// Ends the programs that still run and removes the folder.
    static func cleanUp() {
        state.withLock { state in
            end(state.processes)
            state.processes = []
            if let folder = state.folder { try? FileManager.default.removeItem(atPath: folder) }
            state.folder = nil
        }
    }

    private static func end(_ processes: Set<pid_t>) {
        for process in processes { kill(process, SIGTERM) }
        var waited: Int32 = 0
        while waited < graceMilliseconds, processes.contains(where: isRunning) {
            poll(nil, 0, 20)
            waited += 20
        }
        for process in processes where isRunning(process) { kill(process, SIGKILL) }
    }

    /// Whether a child still runs; false too if another thread has already waited for it.
    private static func isRunning(_ process: pid_t) -> Bool { waitpid(process, nil, WNOHANG) == 0 }
}
