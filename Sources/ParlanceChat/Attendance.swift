import ParlanceControl

/// Whether the user is there, as far as keys tell, and what was told of that.
struct Attendance: Equatable, Sendable {
    private(set) var lastKey: ControlTime
    /// What was last reported: that there is no input, or that there is.
    private(set) var isIdle: Bool?

    /// Milliseconds without a key after which the user is reported as idle. The node says "away" after 10 minutes.
    private static let idleAfter: Int64 = 60_000

    init(since now: ControlTime) {
        lastKey = now
    }

    /// When to report that there is no input; nil if that was reported.
    var deadline: ControlTime? { isIdle == false ? lastKey + Self.idleAfter : nil }

    /// The daemon answers: it knows nothing yet.
    mutating func connected(at now: ControlTime) {
        isIdle = now >= lastKey + Self.idleAfter
    }

    /// A key was pressed.
    ///
    /// - Parameter reports: whether the daemon can be told.
    /// - Returns: whether it is to be told.
    mutating func pressed(at now: ControlTime, reports: Bool) -> Bool {
        lastKey = now
        guard reports, isIdle != false else { return false }
        isIdle = false
        return true
    }

    /// - Returns: whether it is to be told that there is no input.
    mutating func passed(_ now: ControlTime) -> Bool {
        guard let deadline, deadline <= now else { return false }
        isIdle = true
        return true
    }
}
