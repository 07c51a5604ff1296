import ParlanceControl

/// Whether the user is at the keyboard, judged by key presses, and what the daemon was told.
struct Attendance: Equatable, Sendable {
    private(set) var lastKey: ControlTime
    /// Whether the last report said that the user is idle; nil before the first report.
    private(set) var isIdle: Bool?

    /// Milliseconds without a key after which the user is reported as idle. The node says "away" after 10 minutes.
    private static let idleAfter: Int64 = 60_000

    init(since now: ControlTime) {
        lastKey = now
    }

    /// When to report that the user is idle; nil if that is reported already.
    var deadline: ControlTime? { isIdle == false ? lastKey + Self.idleAfter : nil }

    /// Called when the connection is up: a daemon that has just answered knows nothing of the user.
    mutating func connected(at now: ControlTime) {
        isIdle = now >= lastKey + Self.idleAfter
    }

    /// A key was pressed.
    ///
    /// - Parameter reports: whether the daemon can be told.
    /// - Returns: whether the daemon must be told.
    mutating func pressed(at now: ControlTime, reports: Bool) -> Bool {
        lastKey = now
        guard reports, isIdle != false else { return false }
        isIdle = false
        return true
    }

    /// - Returns: whether the daemon must be told that the user is idle.
    mutating func passed(_ now: ControlTime) -> Bool {
        guard let deadline, deadline <= now else { return false }
        isIdle = true
        return true
    }
}
