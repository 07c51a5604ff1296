/// Why the daemon cannot start or go on: what went wrong, why, and what to do.
package struct DaemonError: Error, Equatable, CustomStringConvertible {
    package var message: String
    package var advice: String

    package init(_ message: String, advice: String) {
        self.message = message
        self.advice = advice
    }

    package var description: String { "\(message) \(advice)" }
}
