package import ParlanceWords

/// What a client that reconnects by itself knows of the daemon: what its user is told, each change once.
package struct DaemonAbsence: Equatable, Sendable {
    private enum State: Equatable {
        case here
        case gone
        case silent(since: ControlTime)
    }

    private var state = State.here

    package init() {}

    /// The daemon has answered.
    ///
    /// - Returns: whether the user was told that it did not.
    package mutating func answered() -> Bool {
        defer { state = .here }
        return state != .here
    }

    /// A connection ended, or none could be made.
    ///
    /// - Parameter failure: why; `nil` if nobody said.
    /// - Returns: whether the user has not been told this yet.
    package mutating func failed(_ failure: ControlFailure?, at now: ControlTime) -> Bool {
        let before = state
        if failure?.code != ControlFailure.silentCode {
            state = .gone
        } else if silentSince == nil {
            // It is called silent once it has said nothing for so long.
            state = .silent(
                since: ControlTime(milliseconds: now.milliseconds - ControlLimits.daemonSilentMilliseconds)
            )
        }
        return state != before
    }

    /// Since when the daemon has run without an answer; `nil` if it answers or does not run.
    package var silentSince: ControlTime? {
        if case .silent(let since) = state { since } else { nil }
    }

    /// What people are told of a daemon that has not answered since a time.
    package static func words(silentSince time: ControlTime, _ clock: LocalClock) -> Phrase {
        Phrase(
            """
            The daemon has not answered since \(clock.short(time)): it hangs, or somebody has stopped it. End parlanced \
            and start it again; as a service: systemctl --user restart parlanced.
            """
        )
    }
}
