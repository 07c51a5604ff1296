import ParlanceWire

/// Who sees whether the user is active.
package enum IdleObserver: Hashable, Sendable {
    /// The desktop's session.
    case session
    /// A chat screen or a page, with a number of its own while the process runs.
    case face(UInt64)
}

/// What an observer sees of the user.
package enum UserSight: Equatable, Sendable {
    case active
    /// There has been no input since then.
    case idle(since: Instant)
    /// The screen has been locked since then.
    case locked(since: Instant)

    fileprivate var idleSince: Instant? {
        switch self {
        case .active: nil
        case .idle(let since), .locked(let since): since
        }
    }

    fileprivate var isLocked: Bool { if case .locked = self { true } else { false } }
}

/// Why others see the user as away, though the user did not set that.
package struct Absence: Equatable, Sendable {
    /// Milliseconds since 1970.
    package var since: Int64
    /// Whether the screen is locked; otherwise there was no input for long.
    package var isLocked: Bool
}

/// What all observers see of the user, and what follows from it (sync.md, "Presence").
///
/// The user is absent if an observer sees the user idle and none sees the user active. Idleness counts after
/// `Limits.awayMilliseconds`, from the last time at which any observer saw the user active; a locked screen counts at
/// once. Without observers nobody is absent.
struct Idleness: Equatable, Sendable {
    private var sights: [IdleObserver: UserSight] = [:]
    /// When the user last said to be online, in monotonic milliseconds: what began before that does not count.
    private var saidOnline: Int64?

    /// Takes what an observer sees; `nil` if it is gone.
    mutating func saw(_ sight: UserSight?, by observer: IdleObserver, _ now: Instant) {
        sights[observer] = sight.map { $0.noLater(than: now) }
    }

    mutating func userIsOnline(since moment: Int64) { saidOnline = moment }

    /// When the present absence began, or begins if nothing changes, in monotonic milliseconds; `nil` if there is none.
    var begins: Int64? {
        guard let latest else { return nil }
        return hasLock ? latest.monotonic : latest.monotonic + Limits.awayMilliseconds
    }

    /// The absence that has begun, if one has.
    func absence(_ now: Instant) -> Absence? {
        guard let latest, let begins, begins <= now.monotonic else { return nil }
        return Absence(since: latest.wall, isLocked: hasLock)
    }

    /// The sights that count.
    private var counting: [UserSight] {
        sights.values.filter { sight in
            guard let since = sight.idleSince, let saidOnline else { return true }
            return since.monotonic > saidOnline
        }
    }

    /// When the user was last active, as far as the observers know; `nil` if one sees activity, or none sees anything.
    private var latest: Instant? {
        let since = counting.map(\.idleSince)
        guard !since.contains(nil) else { return nil }
        return since.compactMap { $0 }.max { ($0.monotonic, $0.wall) < ($1.monotonic, $1.wall) }
    }

    private var hasLock: Bool { counting.contains(where: \.isLocked) }
}

extension UserSight {
    /// The sight with its time cut to the present: clocks of others may be ahead.
    fileprivate func noLater(than now: Instant) -> UserSight {
        func cut(_ since: Instant) -> Instant {
            Instant(monotonic: min(since.monotonic, now.monotonic), wall: min(since.wall, now.wall))
        }
        return switch self {
        case .active: .active
        case .idle(let since): .idle(since: cut(since))
        case .locked(let since): .locked(since: cut(since))
        }
    }
}
