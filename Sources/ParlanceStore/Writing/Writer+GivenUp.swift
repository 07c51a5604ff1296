import GRDB
import ParlanceCore
import ParlanceWire

// What is not awaited any more (events.md, "Given up").
extension Writer {
    func isGivenUp(_ reference: EventReference, in id: ConversationID, _ db: Database) throws -> Bool {
        try givenUp(in: id, db).contains(reference.id)
    }

    /// Gives up what the next events of waiting logs refer to and what they wait for, and applies what waited for it.
    func giveUp(_ row: GivenUp, _ outcome: inout Outcome, _ db: Database) throws {
        var isNew = false
        for log in row.logs {
            guard let entry = try existingEntry(LogKey(row.conversation, log), db) else { continue }
            for reference in try awaited(by: entry, row, db) {
                guard try isGivenUp(reference, in: row.conversation, db) == false else { continue }
                try giveUp(reference.id, in: row.conversation, db)
                isNew = true
            }
        }
        guard isNew else { return }
        // Other logs may have waited for the same.
        let conversationRow = try conversationRow(row.conversation, db)
        for log in try LogTable.all(db, own: identity) where log.conversationRow == conversationRow {
            let entry = try entry(log.key, db)
            guard entry.applied.sequence < entry.position.sequence else { continue }
            try stopWaiting(entry)
            try advance(entry, &outcome, db)
            try advanceUnblocked(&outcome, db)
        }
    }

    /// What the next events of a log name of these authors and what is not held; of the next one also what is held and
    /// waits itself.
    private func awaited(by entry: LogEntry, _ row: GivenUp, _ db: Database) throws -> [EventReference] {
        guard entry.applied.sequence < entry.position.sequence else { return [] }
        let first = entry.applied.sequence + 1
        let last = min(entry.position.sequence, first + UInt64(Limits.givenUpEvents) - 1)
        return try (first...last).flatMap { sequence in
            let references = try held(sequence, entry)?.event.header.references ?? []
            return try references.filter { reference in
                guard row.authors.contains(reference.log.author) else { return false }
                let found = try held(reference, in: row.conversation, db)
                return found == nil || sequence == first && found?.effective == nil
            }
        }
    }
}
