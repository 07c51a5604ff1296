import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceWire
import ParlanceWords

extension WorkspaceImportOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> WorkspaceImportReply {
        guard people.utf8.count <= Limits.importedBytes else { throw ControlError(importBytes: ()) }
        let list: PeopleList
        do throws(PeopleList.Fault) {
            list = try PeopleList(csv: people)
        } catch {
            throw ControlError(error)
        }
        return WorkspaceImportReply(try await node.ask(.workspace(.importPeople(list.entries)), \.imported))
    }
}

extension WorkspaceImportReply {
    fileprivate init(_ outcome: ImportedPeople) {
        self.init(
            admitted: outcome.admitted.count,
            named: outcome.named.count,
            accepted: outcome.accepted.count,
            known: outcome.known.count,
            leftOut: outcome.leftOut.map { left in
                let reason: LeftOut.Reason =
                    switch left.reason {
                    case .excluded: .excluded
                    case .blocked: .blocked
                    case .declined: .declined
                    case .nameTaken: .nameTaken
                    }
                return LeftOut(name: left.name, id: left.peer.controlID, reason: reason)
            }
        )
    }
}

extension ControlError {
    fileprivate init(importBytes: Void) {
        self.init(
            .invalidValue,
            Phrase("The list has more than \(Limits.importedBytes) bytes."),
            advice: Phrase("Nothing was changed. Import it in parts.")
        )
    }

    fileprivate init(_ fault: PeopleList.Fault) {
        let line = fault.line
        let message: Phrase =
            switch fault.reason {
            case .quotation: Phrase("Line \(line): a quotation mark is not closed, or is inside a field.")
            case .fields(1): Phrase("Line \(line) has one field and needs two, a name and a peer ID.")
            case .fields(let count): Phrase("Line \(line) has \(count) fields and needs two, a name and a peer ID.")
            case .otherSeparator(let other):
                Phrase("Line \(line) uses a different separator from line \(other).")
            case .noPeerID(let text):
                Phrase("Line \(line): \"\(text)\" is not a peer ID: a character is missing or wrong.")
            case .noName: Phrase("Line \(line) has two peer IDs and no name.")
            case .name(.controlCharacters): Phrase("Line \(line): the name has control characters.")
            case .name(.checkMark):
                Phrase("Line \(line): the name has a check mark, which stands for a verified person.")
            case .reservedName(let name):
                Phrase(
                    "Line \(line): \"\(name)\" cannot be a name: it is, or looks like, something with another meaning in Parlance."
                )
            case .name(.length): Phrase("Line \(line): a name has 1 to \(Limits.nameBytes) bytes.")
            case .samePeer(let other): Phrase("Line \(line) names the same person as line \(other).")
            case .sameName(let other): Phrase("Line \(line) has the same name as line \(other), for somebody else.")
            case .long: Phrase("Line \(line) is one too many: a list has at most \(Limits.importedPeople) people.")
            case .empty: Phrase("The list names nobody.")
            }
        let advice: Phrase =
            switch fault.reason {
            case .quotation: Phrase("Nothing was changed. Write a quotation mark within a quotation twice.")
            case .fields(1):
                Phrase(
                    "Nothing was changed. Write a name and a peer ID, with a comma, a semicolon or a tab between them."
                )
            case .otherSeparator:
                Phrase("Nothing was changed. Use the same one in every line: comma, semicolon or tab.")
            case .fields:
                Phrase(
                    "Nothing was changed. Put a name that has a comma or a semicolon between quotation marks, and leave out other columns."
                )
            case .noPeerID, .noName:
                Phrase("Nothing was changed. Each person's ID is printed there by: \(Phrase(elsewhere: "parlance id"))")
            case .long: Phrase("Nothing was changed. Import it in parts.")
            case .empty: Phrase("Nothing was changed. Write a name, a comma and a peer ID in each line.")
            default: Phrase("Nothing was changed. Correct the line, then give the command again.")
            }
        self.init(.invalidValue, message, advice: advice)
    }
}
