import ParlanceControl
import ParlanceWords

/// What was taken from one person, as `--json` prints it.
struct CarryInReport: Codable {
    var peer: Person
    var messages = 0
    var changes = 0
    var receipts = 0
    var files: [File] = []
    /// The files of messages that lay sealed in the folder and were not here.
    var sealed: [Sealed] = []

    init(peer: Person) {
        self.peer = peer
    }

    struct File: Codable {
        var file: String
        var outcome = Outcome.taken
        var problems: [CarryTakeReply.Problem] = []
        /// Why it could not be read.
        var reason: String?

        enum Outcome: String, Codable, JSONWord { case taken, keysOnly, damaged, unreadable, tooLong, notAFile, failed }

        init(file: String) {
            self.file = file
        }

        mutating func take(_ reply: CarryTakeReply) {
            outcome = Outcome(rawValue: reply.outcome.rawValue) ?? .failed
            problems = reply.problems
        }
    }

    mutating func add(_ reply: CarryTakeReply) {
        messages += reply.messages
        changes += reply.changes
        receipts += reply.receipts
    }

    var lines: [String] {
        let (name, taken) = (NameText.plain(peer.displayName), sealed.filter { $0.outcome == .taken })
        guard let first = taken.first else { return [line] }
        return [
            line,
            taken.count == 1
                ? say("From \(name): the file \(first.name).") : say("From \(name): \(taken.count) files."),
        ]
    }

    private var line: String {
        let name = NameText.plain(peer.displayName)
        switch messages {
        case 0 where changes + receipts == 0: return say("From \(name): nothing new.")
        case 0: return say("From \(name): no new messages; receipts or changes were taken.")
        case 1: return say("From \(name): 1 new message.")
        default: return say("From \(name): \(messages) new messages.")
        }
    }

    /// What is wrong with each file: what, why, and what to do.
    func failures(in folder: String) -> [ControlFailure] {
        files.flatMap { file in
            let path = folder + "/" + file.file
            return
                ([file.failure(path, NameText.plain(peer.displayName))]
                + file.problems.map { $0.failure(path, NameText.plain(peer.displayName)) })
                .compactMap { $0 }
        } + sealed.compactMap { $0.failure(NameText.plain(peer.displayName)) }
    }
}

extension CarryInReport.File {
    fileprivate func failure(_ path: String, _ name: String) -> ControlFailure? {
        let again = Phrase("Let \(name) carry out again. Nothing else in the folder is affected.")
        func failure(_ message: Phrase) -> ControlFailure {
            ControlFailure(code: ControlFailure.fileFailed, message: message, advice: again)
        }
        switch outcome {
        case .taken, .keysOnly: return nil
        case .damaged:
            return failure(Phrase("The file \(path) is damaged, or \(name) did not make it for you: it was ignored."))
        case .unreadable:
            return failure(
                Phrase("The file \(path) cannot be opened: it is more than 7 days old, or for an earlier copy of you.")
            )
        case .tooLong: return failure(Phrase("The file \(path) is too long for one from \(name): it was ignored."))
        case .notAFile:
            return failure(Phrase("\(path) is a folder, a link or a device, not an ordinary file: it was ignored."))
        case .failed: return failure(Phrase("The file \(path) cannot be read: \(reason ?? "")."))
        }
    }
}

extension CarryTakeReply.Problem {
    fileprivate func failure(_ path: String, _ name: String) -> ControlFailure? {
        switch self {
        case .gap:
            ControlFailure(
                code: ControlFailure.fileFailed,
                message: "Part of \(path) was not taken: messages before those in it are missing here.",
                advice: "Carry out for \(name), so that \(name) learns what you have, and let \(name) carry out again."
            )
        case .forked:
            ControlFailure(
                code: ControlFailure.fileFailed,
                message:
                    "Part of \(path) was not taken: its author goes on in two branches, as after a restored backup.",
                advice: "Connect with \(name) over a network once; that settles it."
            )
        case .uninvited:
            ControlFailure(
                code: ControlFailure.fileFailed,
                message: "Part of \(path) was not taken: it is about a group or a member that is not known here.",
                advice: "Let an admin of the group carry out for you, or connect with \(name) over a network once."
            )
        case .refused:
            ControlFailure(
                code: ControlFailure.fileFailed,
                message: "Part of \(path) was not taken: it breaks the rules.",
                advice: "Let \(name) install the present version, and carry out again."
            )
        }
    }
}
