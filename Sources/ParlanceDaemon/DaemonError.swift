package import ParlanceControl
package import ParlanceWords

/// Why the daemon cannot start or go on, or why a command about its files failed: what went wrong, why, and what to do.
package struct DaemonError: Error, Equatable, CustomStringConvertible {
    /// The code for programs: `storeFailed` for what the machine could not do.
    package var code: ControlError.Code
    package var message: Phrase
    package var advice: Phrase

    package init(_ message: Phrase, advice: Phrase) {
        self.init(.storeFailed, message, advice: advice)
    }

    package init(_ code: ControlError.Code, _ message: Phrase, advice: Phrase) {
        self.code = code
        self.message = message
        self.advice = advice
    }

    package var description: String { "\(message) \(advice)" }
}
