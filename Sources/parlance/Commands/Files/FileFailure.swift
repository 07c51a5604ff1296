import ParlanceControl
import ParlanceCore
import ParlanceFiles
import ParlanceTexts
import ParlanceWire
import ParlanceWords
import SystemPackage

// What is said of files of the user that cannot be read or written.
extension ControlFailure {
    /// Why a file of the user cannot be sent.
    ///
    /// - Parameter limit: the most bytes that the node takes.
    init(_ error: SourceError, limit: UInt64 = Limits.fileBytes) {
        let path = error.path
        switch error.cause {
        case .folder(.beyondLimit), .folder(.tooLarge):
            self = ControlFailure(
                code: ControlFailure.fileTooLarge,
                message: """
                    The folder \(path) is too large: it may have \(Limits.folderEntries) files and \
                    \(Limits.folderFolders) folders, \(Limits.folderDepth) folders within each other, and paths of \(Limits.folderPathBytes) bytes.
                    """,
                advice: "Nothing was sent. Pack it into an archive and send that."
            )
        case .folder:
            self = ControlFailure(
                code: ControlFailure.fileFailed,
                message: "Two files in the folder have the same name in Unicode: \(path).",
                advice: "Nothing was sent. Rename one of them."
            )
        case .file(let cause): self.init(reading: path, cause, limit)
        }
    }

    private init(reading path: String, _ cause: ShelfError, _ limit: UInt64) {
        let nothing = Phrase("Nothing was sent.")
        switch cause {
        case .missing:
            self = ControlFailure(
                code: ControlFailure.fileFailed,
                message: "There is no file \(path).",
                advice: nothing
            )
        case .notAFile:
            self = ControlFailure(
                code: ControlFailure.fileFailed,
                message: "\(path) is a device, a pipe or a socket, not a file or a folder.",
                advice: "Nothing was sent. What a program writes can be sent with: --file - --name NAME"
            )
        case .changed, .damaged, .malformed:
            self = ControlFailure(
                code: ControlFailure.fileFailed,
                message: "\(path) changed while it was being read, or is not a regular file.",
                advice: """
                    Nothing was sent. Send it again when nobody writes to it. What the system shows as a file can be sent \
                    with: cat FILE | parlance send WHO --file - --name NAME
                    """
            )
        case .tooLarge:
            self = ControlFailure(
                code: ControlFailure.fileTooLarge,
                message: "\(path) is larger than your node takes: \(FileText.size(limit)).",
                advice: "Nothing was sent. Send it in parts, or allow larger files with the setting file-limit."
            )
        case .full(let needed, let free): self = .full(needed, free, Phrase("Nothing was sent."))
        case .failed(let code):
            let reason = Errno(rawValue: code)
            self = ControlFailure(
                code: ControlFailure.fileCode(reason),
                message: "\(path) cannot be read: \(reason.description).",
                advice: reason == .permissionDenied
                    ? "Nothing was sent. Check that you may read it and open the folders on the way." : nothing
            )
        }
    }

    /// Why a file that has come cannot be put where the user wants it.
    init(saving name: String, to folder: String, _ cause: ShelfError) {
        let safe = Phrase("The file is safe on the shelf of the node.")
        switch cause {
        case .full(let needed, let free): self = .full(needed, free, safe)
        case .failed(Errno.fileExists.rawValue):
            self = ControlFailure(
                code: ControlFailure.fileExists,
                message: "There is something called \(name) in \(folder) already.",
                advice: "It was not changed. Name another place with --to."
            )
        case .damaged, .changed, .tooLarge:
            self = ControlFailure(
                code: ControlFailure.fileDamaged,
                message: "\(name) was not saved: it is damaged on the disk of this computer.",
                advice: "Check the disk, then fetch it again."
            )
        case .malformed:
            self = ControlFailure(
                code: ControlFailure.fileFailed,
                message: "\(name) was not saved: it came as it was sent, but it is not a folder that can be unpacked.",
                advice: "Ask its sender to send it again."
            )
        case .missing:
            self = ControlFailure(
                code: ControlFailure.fileFailed,
                message: "\(name) was not saved: \(folder) does not exist, or the file is not here any more.",
                advice: "Name a folder that exists with --to, or fetch the file again."
            )
        case .notAFile:
            self = ControlFailure(
                code: ControlFailure.fileFailed,
                message: "\(name) was not saved: \(folder) is a link or no folder.",
                advice: "\(safe) Name a folder with --to."
            )
        case .failed(let code):
            let reason = Errno(rawValue: code)
            self = ControlFailure(
                code: ControlFailure.fileCode(reason),
                message: "\(name) cannot be written to \(folder): \(reason.whyNotWritten).",
                advice: "\(safe) Name another folder with --to."
            )
        }
    }

    private static func full(_ needed: UInt64, _ free: UInt64, _ then: Phrase) -> ControlFailure {
        ControlFailure(
            code: ControlFailure.fileFailed,
            message: "The disk has no room: \(FileText.size(needed)) are needed, and \(FileText.size(free)) are free.",
            advice: "\(then) Make room, and do it again."
        )
    }
}
