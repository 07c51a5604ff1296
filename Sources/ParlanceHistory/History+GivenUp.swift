import ParlanceRecords
import ParlanceWire

// What is not awaited any more (events.md, "Given up").
extension History {
    func isGivenUp(_ reference: EventReference, in id: ConversationID) throws -> Bool {
        try givenUp(in: id).contains(reference.id)
    }

    /// Gives up what the next events of waiting logs refer to and what they wait for, and applies what waited for it.
    func giveUp(_ row: GivenUp, _ outcome: inout Outcome) throws {
        var isNew = false
        for log in row.logs {
            guard let entry = try existingEntry(LogKey(row.conversation, log)) else { continue }
            for reference in try awaited(by: entry, row) {
                guard try isGivenUp(reference, in: row.conversation) == false else { continue }
                try giveUp(reference.id, in: row.conversation)
                isNew = true
            }
        }
        guard isNew else { return }
        // Other logs may have waited for the same.
        let conversationRow = try conversationRow(row.conversation)
        for entry in try entries(conversationRow: conversationRow) {
            guard entry.applied.sequence < entry.position.sequence else { continue }
            try stopWaiting(entry)
            try advance(entry, &outcome)
            try advanceUnblocked(&outcome)
        }
    }

    /// What the next events of a log name of these authors and what is not held; of the next one also what is held and
    /// waits itself.
    private func awaited(by entry: LogProgress, _ row: GivenUp) throws -> [EventReference] {
        guard entry.applied.sequence < entry.position.sequence else { return [] }
        let first = entry.applied.sequence + 1
        let last = min(entry.position.sequence, first + UInt64(Limits.givenUpEvents) - 1)
        return try (first...last).flatMap { sequence in
            let references = try held(sequence, entry)?.event.header.references ?? []
            return try references.filter { reference in
                guard row.authors.contains(reference.log.author) else { return false }
                let found = try held(reference, in: row.conversation)
                return found == nil || sequence == first && found?.effective == nil
            }
        }
    }
}
