import ParlanceWords

/// Decides which mDNS backend runs: the system's if it answers, otherwise the embedded one.
/// Pure: it gets what happened and returns what to do, so every order of events can be tested without a network. The
/// new backend works before the old one is stopped, so no peer disappears during a change.
///
/// ```
///   auto:    system? --up--> system runs --failed--> embedded? --up--> embedded runs
///              |                                         ^                 | recheck (1 s doubling to 5 min)
///              +-------failed, or no answer in 5 s-------+     system? <---+
/// ```
struct BackendSelector {
    enum Kind: Sendable, Hashable, CaseIterable { case system, embedded }

    enum Input: Equatable {
        case started
        /// A backend announces and browses.
        case up(Kind)
        /// A backend could not start, or broke; stop it.
        case failed(Kind, reason: Phrase)
        /// The time that `wake` requested has come.
        case woke(ticket: Int)
        case networkChanged
    }

    enum Action: Equatable {
        case start(Kind)
        case stop(Kind)
        case wake(after: Duration, ticket: Int)
        /// This backend works now; or none works, for this reason.
        case report(Kind?, reason: Phrase)
    }

    private enum Phase { case idle, starting, working }

    /// The longest pause between attempts while nothing works.
    static let longestRetry = Duration.seconds(30)
    /// The longest pause before the next check for the preferred service, while the other works.
    static let longestRecheck = Duration.seconds(300)
    /// How long the system's service may take to confirm an announcement (it probes the name for about 1 s).
    static let trialTime = Duration.seconds(5)

    private let mode: DiscoveryMode
    private var system = Phase.idle
    private var embedded = Phase.idle
    private var failures = 0
    private var ticket = 0

    init(mode: DiscoveryMode) { self.mode = mode }

    mutating func handle(_ input: Input) -> [Action] {
        switch input {
        case .started: mode == .off ? [] : attempt()
        case .up(let kind): becameUp(kind)
        case .failed(let kind, let reason): hasFailed(kind, reason)
        case .woke(let woken): woken == ticket ? wokeUp() : []
        case .networkChanged: networkChanged()
        }
    }

    private mutating func attempt() -> [Action] {
        if mode != .embedded, system == .idle {
            system = .starting
            return [.start(.system), wake(after: Self.trialTime)]
        }
        guard mode != .system, embedded == .idle, system == .idle else { return [] }
        embedded = .starting
        return [.start(.embedded)]
    }

    private mutating func wokeUp() -> [Action] {
        if system == .starting {
            return hasFailed(
                .system,
                "the system's mDNS service did not answer within \(Self.trialTime.components.seconds) s"
            )
        }
        return attempt()
    }

    /// A new network may work better: try at once what waits. A trial that is under way goes on.
    private mutating func networkChanged() -> [Action] {
        guard system == .idle, embedded == .idle, mode != .off else { return [] }
        failures = 0
        return attempt()
    }

    private mutating func becameUp(_ kind: Kind) -> [Action] {
        switch kind {
        case .system:
            guard system == .starting else { return [] }
            system = .working
            failures = 0
            ticket += 1
            let wasEmbedded = embedded != .idle
            embedded = .idle
            return [.report(.system, reason: "")] + (wasEmbedded ? [.stop(.embedded)] : [])
        case .embedded:
            guard embedded == .starting else { return [] }
            embedded = .working
            return [.report(.embedded, reason: "")] + (mode == .auto && system == .idle ? [recheck()] : [])
        }
    }

    private mutating func hasFailed(_ kind: Kind, _ reason: Phrase) -> [Action] {
        guard (kind == .system ? system : embedded) != .idle else { return [] }
        let wasWorking = (kind == .system ? system : embedded) == .working
        if kind == .system { system = .idle } else { embedded = .idle }
        if wasWorking { failures = 0 }
        let stop = Action.stop(kind)
        if kind == .system, mode == .auto {
            if embedded == .working { return [stop, recheck()] }
            if embedded == .starting { return [stop] }
            embedded = .starting
            return [stop, .start(.embedded)]
        }
        if kind == .embedded, system != .idle {
            return [stop] + (wasWorking && system != .working ? [.report(nil, reason: reason)] : [])
        }
        return [stop, .report(nil, reason: reason), wake(after: pause(atMost: Self.longestRetry))]
    }

    private mutating func recheck() -> Action { wake(after: pause(atMost: Self.longestRecheck)) }

    private mutating func wake(after pause: Duration) -> Action {
        ticket += 1
        return .wake(after: pause, ticket: ticket)
    }

    private mutating func pause(atMost longest: Duration) -> Duration {
        let pause = min(longest, .seconds(1 << min(failures, 16)))
        failures = min(failures + 1, 16)
        return pause
    }
}
