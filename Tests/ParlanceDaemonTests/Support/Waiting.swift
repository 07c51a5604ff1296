/// Something did not happen in time.
struct TimedOut: Error, CustomStringConvertible {
    let what: String
    let limit: Duration
    /// What was seen last.
    var last = ""

    var description: String {
        "Waited \(limit) in vain until \(what)." + (last.isEmpty ? "" : " Last seen: \(last)")
    }
}

/// Waits until `body` returns a value, trying every few milliseconds.
///
/// A busy machine only makes this slower: the limits are far above the usual times.
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

/// Waits until a condition holds.
func eventually(
    _ what: String,
    within limit: Duration = .seconds(15),
    every pause: Duration = .milliseconds(15),
    last: @autoclosure () -> String = "",
    _ body: () async throws -> Bool
) async throws {
    let _: Bool = try await soon(what, within: limit, every: pause, last: last()) { try await body() ? true : nil }
}
