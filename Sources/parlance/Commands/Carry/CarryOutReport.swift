import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// What was written for one person, as `--json` prints it.
struct CarryOutReport: Codable {
    var peer: Person
    /// The messages in the folder that the person is not known to have.
    var messages = 0
    var written = 0
    var kept = 0
    var failed = 0
    var sealed = false
    /// Whether everything that the person may lack is in the folder.
    var complete = false
    /// The files that are sealed in the folder, with --files.
    var files: [File]?
    var left: [LeftFile]?

    /// A file that is sealed in the folder. Its key is nobody else's business.
    struct File: Codable {
        var file: String
        var name: String
        var size: UInt64

        init(_ info: SealedFileInfo) {
            (file, name, size) = (info.file, info.name ?? info.file, info.size)
        }
    }

    init(peer: Person) {
        self.peer = peer
    }

    var lines: [String] {
        guard let files, let first = files.first else { return [line] }
        let (name, size) = (NameText.plain(peer.displayName), FileText.size(files.reduce(0) { $0 + $1.size }))
        return [
            line,
            files.count == 1
                ? say("\(name): the file \(first.name) is in the folder (\(size)).")
                : say("\(name): \(files.count) files are in the folder (\(size))."),
        ]
    }

    private var line: String {
        let name = NameText.plain(peer.displayName)
        guard failed == 0 else {
            return written + kept == 0
                ? say("\(name): nothing could be written. Run it again.")
                : say("\(name): not everything could be written. Run it again.")
        }
        guard sealed else {
            return say(
                """
                \(name): only your keys are in the folder, since the keys of \(name) are not here. Let \(name) carry \
                this in, and then out, and bring that back.
                """
            )
        }
        guard complete else {
            guard messages > 0 else {
                return say(
                    """
                    \(name): the folder is full of messages whose receipts are not back. Carry out the rest when they are.
                    """
                )
            }
            guard messages > 1 else {
                return say(
                    """
                    \(name): 1 new message is in the folder, as many as it takes. Carry out the rest when the receipts \
                    are back.
                    """
                )
            }
            return say(
                """
                \(name): \(messages) new messages are in the folder, as many as it takes. Carry out the rest when the \
                receipts are back.
                """
            )
        }
        switch messages {
        case 0: return say("\(name): nothing new; receipts are in the folder.")
        case 1: return say("\(name): 1 new message is in the folder.")
        default: return say("\(name): \(messages) new messages are in the folder.")
        }
    }
}
