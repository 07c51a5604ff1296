import Dispatch
import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceFiles
import ParlanceRecords
import ParlanceSodium
import ParlanceTexts
import ParlanceWire
import ParlanceWords

// Files between programs of the user and the shelf.

extension NodeOperations {
    static let files: [any NodeOperation.Type] = [
        FilePrepareOperation.self, FileAddOperation.self, FilePathOperation.self,
    ]
}

extension FilePrepareOperation: NodeOperation {
    /// Bytes of a name that nobody else is given.
    private static let nameBytes = 16

    func perform(on node: LocalControl) async throws(ControlError) -> FilePrepareReply {
        let name = Hex.text(RandomBytes.bytes(Self.nameBytes))
        let path = node.files.shelf.incoming(name)
        return FilePrepareReply(name: name, path: path, limit: node.files.allowance.fileLimit)
    }
}

extension FileAddOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> FileAddReply {
        let files = node.files
        let limit = files.allowance.fileLimit
        let result: Result<FileManifest, ShelfError> = await withCheckedContinuation { continuation in
            files.add(name, limit: limit) { continuation.resume(returning: $0) }
        }
        let manifest = try result.mapError { ControlError($0, limit: limit) }.get()
        return FileAddReply(file: manifest.id.text, size: manifest.shape.size)
    }
}

extension FilePathOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> FilePathReply {
        guard let id = Base32.decode(file).flatMap({ FileID($0) }) else {
            throw ControlError(
                .invalidValue,
                Phrase("\"\(file.withoutControlCharacters)\" is not the ID of a file."),
                advice: Phrase("Give the whole ID: 52 letters and digits.")
            )
        }
        let files = node.files
        if verify == true {
            let isWhole = await withCheckedContinuation { continuation in
                files.verify(id) { continuation.resume(returning: $0) }
            }
            guard isWhole else { throw .damagedFile(id) }
        }
        return try await node.read {
            guard let path = files.shelf.path(of: id), let entry = files.shelf.entry(of: id) else {
                throw ControlError.notWhole
            }
            files.shelf.touch(id)
            return FilePathReply(path: path, size: entry.size)
        }
    }
}

extension ControlError {
    fileprivate static let notWhole = ControlError(
        .notYet,
        Phrase("This file is not on this computer as a whole."),
        advice: Phrase("Fetch it, and try again when it is complete.")
    )

    fileprivate static func damagedFile(_ file: FileID) -> ControlError {
        ControlError(
            .notYet,
            Phrase("The file was damaged on the disk of this computer, and was removed."),
            advice: Phrase(
                "Check the disk. To fetch the file again: parlance fetch \(String(file.text.prefix(FileInfo.idCharacters)))"
            )
        )
    }

    /// Why a file cannot be put on the shelf.
    fileprivate init(_ error: ShelfError, limit: UInt64) {
        switch error {
        case .full(let needed, let free):
            self.init(
                .storeFailed,
                Phrase(
                    "There is no room: \(FileText.phrase(free)) are free, and \(FileText.phrase(needed)) are needed."
                ),
                advice: Phrase("Make room on the disk that holds your data, then try again.")
            )
        case .tooLarge:
            self.init(
                .invalidValue,
                Phrase("The file is larger than \(FileText.phrase(limit))."),
                advice: Phrase("Send it in parts, or allow larger files with the setting file-limit.")
            )
        case .missing, .notAFile:
            self.init(
                .invalidValue,
                Phrase("There is no ordinary file to take."),
                advice: Phrase(
                    "Ask for a place with file.prepare, write the file there, and give the name of that reply."
                )
            )
        case .changed, .damaged, .malformed:
            self.init(
                .invalidValue,
                Phrase("The file changed while it was read."),
                advice: Phrase("Send it again when no program writes to it.")
            )
        case .failed:
            self.init(
                .storeFailed,
                Phrase("The file could not be kept: \(error.reason)."),
                advice: Phrase("Check the disk that holds your data, then try again.")
            )
        }
    }
}
