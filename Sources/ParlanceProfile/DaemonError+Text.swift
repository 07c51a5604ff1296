package import ParlanceControl
import ParlanceErrorCode
import ParlanceTexts
import ParlanceWords
package import SystemPackage

extension DaemonError {
    /// The same error of the control protocol.
    package init(_ error: ControlError) {
        self.init(error.code, error.message, advice: error.advice)
    }

    /// A file has its new contents, and its folder could not be synced.
    package static func notSynced(_ path: String, _ reason: Errno) -> DaemonError {
        DaemonError(
            "The file \(path) was changed, but its folder cannot be synced: \(reason).",
            advice: "The change holds, and a crash may undo it. Check the disk, and make the change again."
        )
    }

    /// The lines for standard error.
    package var lines: String {
        ControlFailure(ControlError(self)).lines(after: "parlanced: ").map { $0 + "\n" }.joined()
    }
}

extension ControlError {
    package init(_ error: DaemonError) {
        self.init(error.isDenied ? .fileDenied : error.code, error.message, advice: error.advice)
    }
}
