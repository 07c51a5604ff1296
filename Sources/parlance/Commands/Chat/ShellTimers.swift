import Dispatch

/// The timers of the chat screen, one of each kind.
final class ShellTimers {
    enum Kind: Hashable, Sendable {
        case keys, picture, deadline
    }

    private let queue = DispatchQueue(label: "timers")
    private let tell: @Sendable (Kind) -> Void
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

    func disarm(_ kind: Kind) {
        sources.removeValue(forKey: kind)?.cancel()
    }

    deinit {
        for source in sources.values { source.cancel() }
    }
}
