import Dispatch
import ParlanceControl

/// The timers of the chat screen, one of each kind.
final class ShellTimers {
    enum Kind: Hashable, Sendable {
        case keys, picture, deadline
    }

    private let queue = DispatchQueue(label: "timers")
    private let tell: @Sendable (Kind) -> Void
    private var armed: ControlTime?
    private var sources: [Kind: any DispatchSourceTimer] = [:]

    init(_ tell: @escaping @Sendable (Kind) -> Void) {
        self.tell = tell
    }

    /// Runs down after so long; an earlier one of this kind does not.
    func arm(_ kind: Kind, milliseconds: Int) {
        sources[kind]?.cancel()
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now() + .milliseconds(milliseconds))
        source.setEventHandler { [tell] in tell(kind) }
        source.resume()
        sources[kind] = source
    }

    /// Runs down at the deadline. One that came too early, since the deadline moves with each key, is set again.
    func arm(deadline: ControlTime?) {
        guard let deadline, armed.map({ deadline < $0 }) ?? true else { return }
        armed = deadline
        let milliseconds = deadline.milliseconds - LocalClock.system().now.milliseconds
        arm(.deadline, milliseconds: max(0, Int(milliseconds)) + 1)
    }

    func deadlineCame() {
        armed = nil
    }

    func disarm(_ kind: Kind) {
        sources.removeValue(forKey: kind)?.cancel()
    }

    deinit {
        for source in sources.values { source.cancel() }
    }
}
