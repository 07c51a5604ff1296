import ParlanceErrorCode
import ParlanceWords
package import SystemPackage

extension ControlFailure {
    /// The code of wrong usage of a command.
    package static let usage = "usage"
    /// The code for a file that exists, and that the user did not ask to replace.
    package static let fileExists = "fileExists"
    /// The code for a file that the machine could not read or write.
    package static let fileFailed = "fileFailed"
    /// The code for a file on the shelf whose bytes have changed on the disk.
    package static let fileDamaged = "fileDamaged"
    /// The code for a file or folder that is larger than what can be sent.
    package static let fileTooLarge = "fileTooLarge"
    /// The code for a file that the system does not let this user read or write.
    package static let fileDenied = ErrorCode.fileDenied.rawValue

    /// The code for a file with which something failed.
    package static func fileCode(_ reason: Errno) -> String {
        [.permissionDenied, .notPermitted, .readOnlyFileSystem].contains(reason) ? fileDenied : fileFailed
    }

    /// The code for an audit log that is not what it claims to be.
    package static let logInvalid = "logInvalid"

    /// The output of a command that has done its work cannot be written.
    package static func outputLost(_ reason: Errno) -> ControlFailure {
        ControlFailure(
            code: "outputLost",
            message: "The output cannot be written: \(reason.description).",
            advice: "What the command had to change is changed. Do not repeat it for its output."
        )
    }

    /// The output of a command that is there for it alone cannot be written, or not as a whole.
    package static func outputCut(_ reason: Errno) -> ControlFailure {
        ControlFailure(
            code: "outputCut",
            message: "The output cannot be written: \(reason.description).",
            advice: """
                What was written is not whole. The command changes nothing: write it elsewhere, or make room, and try \
                again.
                """
        )
    }

    /// The exit code of a program that failed: 2: no daemon that answers, or no terminal. 64: wrong usage. 65: the input was
    /// refused, and would be refused again. 74: done, but the output could not be written. 77: a permission of the system is missing. 1: anything else.
    package var exitCode: Int32 {
        switch code {
        case "noDaemon", "connectionLost", Self.silentCode, "notPermitted", "noTerminal": return 2
        case Self.usage: return 64
        case "invalidParams", Self.fileExists, Self.fileTooLarge, Self.logInvalid: return 65
        case "outputLost": return 74
        default: break
        }
        switch ErrorCode(rawValue: code) {
        case .unknownPeer, .ambiguousPeer, .ownIdentity, .unknownMessage, .notWaiting, .emptyText, .textTooLong,
            .invalidName, .invalidValue, .blocked, .notMember, .notAllowed, .noWorkspace, .otherWorkspace,
            .notTheSame:
            return 65
        case .fileDenied: return 77
        case .busy, .notYet, .storeFailed, .notPermitted, .notSignedIn, .socketFailed, .stopping, .internalError, nil:
            return 1
        }
    }

    /// The line of a program that prints JSON.
    package var json: String {
        let error = (try? JSONValueEncoder.encode(self)) ?? .string(message.english)
        return JSONWriter.text(.object([.init("error", error)]))
    }
}
