/// Something did not happen in time.
struct TimedOut: Error, CustomStringConvertible {
    let what: String
    let limit: Duration
    /// What was seen last instead.
    var last = ""

    var description: String {
        "Waited \(limit) in vain until \(what)." + (last.isEmpty ? "" : " Last seen: \(last)")
    }
}

/// Waits until `body` gives a value, looking every few milliseconds.
///
/// A busy machine makes it slower, never wrong: the limits are far above what is usual.
func soon<Value>(
    _ what: String,
    within limit: Duration = .seconds(15),
    every pause: Duration = .milliseconds(15),
    last: @autoclosure () -> String = "",
    _ body: () async throws -> Value?
) async throws -> Value {
    let limit = Programs.patience(limit)
    let end = ContinuousClock.now + limit
    while true {
        if let value = try await body() { return value }
        guard ContinuousClock.now < end else { throw TimedOut(what: what, limit: limit, last: last()) }
        try await Task.sleep(for: pause)
    }
}

/// Waits until something holds.
func eventually(
    _ what: String,
    within limit: Duration = .seconds(15),
    every pause: Duration = .milliseconds(15),
    last: @autoclosure () -> String = "",
    _ body: () async throws -> Bool
) async throws {
    let _: Bool = try await soon(what, within: limit, every: pause, last: last()) { try await body() ? true : nil }
}
