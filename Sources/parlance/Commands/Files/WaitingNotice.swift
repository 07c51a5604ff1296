import Dispatch
import Synchronization

/// Says once that nobody who has a file is there, if that lasts: a source is found within moments as a rule.
final class WaitingNotice: Sendable {
    /// Milliseconds without a source.
    static let patience = 2_000

    private struct State {
        var timer: (any DispatchSourceTimer)?
        /// Whether it was said.
        var isSaid = false
    }

    private let state = Mutex(State())
    private let milliseconds: Int
    private let tell: @Sendable () -> Void

    /// - Parameter tell: is called on a queue of its own.
    init(after milliseconds: Int = WaitingNotice.patience, _ tell: @escaping @Sendable () -> Void) {
        self.milliseconds = milliseconds
        self.tell = tell
    }

    /// Nobody who has it is there.
    func waits() {
        state.withLock { state in
            guard state.timer == nil, !state.isSaid else { return }
            let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "waiting"))
            timer.schedule(deadline: .now() + .milliseconds(milliseconds))
            timer.setEventHandler { [weak self] in self?.ring() }
            timer.resume()
            state.timer = timer
        }
    }

    /// Somebody is there, or the wait is over.
    func ends() {
        state.withLock { state in
            state.timer?.cancel()
            state = State()
        }
    }

    private func ring() {
        state.withLock { state in
            // It may have ended just now.
            guard state.timer != nil else { return }
            state = State(timer: nil, isSaid: true)
            tell()
        }
    }

    deinit { ends() }
}
