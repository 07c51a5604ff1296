import ParlanceControl
package import ParlanceErrorCode
package import ParlanceWords
package import SystemPackage

/// Why the daemon cannot start or go on, or why a command about its files failed: what went wrong, why, and what to do.
package struct DaemonError: Error, Equatable, CustomStringConvertible {
    /// The code for programs: `storeFailed` for what the machine could not do.
    package var code: ErrorCode
    package var message: Phrase
    package var advice: Phrase
    /// Whether the system does not let this user read or write a file.
    var isDenied = false
    /// Whether an option or a variable of the environment has a wrong value.
    package var isUsage = false

    package init(_ message: Phrase, advice: Phrase) {
        self.init(.storeFailed, message, advice: advice)
    }

    package init(_ code: ErrorCode, _ message: Phrase, advice: Phrase) {
        self.code = code
        self.message = message
        self.advice = advice
    }

    /// For a file of the user with which something failed.
    package init(_ message: Phrase, advice: Phrase, because reason: Errno) {
        self.init(.storeFailed, message, advice: advice)
        isDenied = ControlFailure.fileCode(reason) == ControlFailure.fileDenied
    }

    /// The exit code of the daemon that cannot start, or stops: 64 for wrong usage.
    package var exitCode: Int32 { isUsage ? 64 : 1 }

    package var description: String { "\(message) \(advice)" }
}
