import Foundation

/// Something did not happen in time.
package struct TimedOut: Error, CustomStringConvertible {
    let what: String
    let limit: Duration
    /// What was seen last.
    let last: String

    package init(what: String, limit: Duration, last: String = "") {
        self.what = what
        self.limit = limit
        self.last = last
    }

    package var description: String {
        "Waited \(limit) in vain until \(what)." + (last.isEmpty ? "" : " Last seen: \(last)")
    }
}

/// Whether a sanitizer is active (contrib/test --sanitize): everything is slower then, and freed memory is kept for a
/// while.
package let isSanitized = ProcessInfo.processInfo.environment["PARLANCE_SANITIZE"] != nil

/// The time to wait for what happens within `limit` on a machine with nothing else to do: tests run side by side, and
/// shared machines are slower at times. Only a test that fails takes so long.
package func patience(_ limit: Duration) -> Duration { limit * (isSanitized ? 8 : 4) }

/// How often something is tried at least, however late it is: on a busy machine one try may take longer than the limit.
private let leastTries = 20

/// Waits until `body` returns a value, trying every few milliseconds.
///
/// A busy machine only makes this slower: the limits are far above the usual times.
package func soon<Value>(
    _ what: String,
    within limit: Duration = .seconds(15),
    every pause: Duration = .milliseconds(15),
    last: @autoclosure () -> String = "",
    _ body: () async throws -> Value?
) async throws -> Value {
    let limit = patience(limit)
    let end = ContinuousClock.now + limit
    var tries = 0
    while true {
        if let value = try await body() { return value }
        tries += 1
        guard ContinuousClock.now < end || tries < leastTries else {
            throw TimedOut(what: what, limit: limit, last: last())
        }
        try await Task.sleep(for: pause)
    }
}

/// Waits until a condition holds.
package func eventually(
    _ what: String,
    within limit: Duration = .seconds(15),
    every pause: Duration = .milliseconds(15),
    last: @autoclosure () -> String = "",
    _ body: () async throws -> Bool
) async throws {
    let _: Bool = try await soon(what, within: limit, every: pause, last: last()) { try await body() ? true : nil }
}
