import ParlanceRecords
import ParlanceWire

// Computing the projections again from the events.
extension History {
    /// Computes everything again. Call it within a transaction of its own.
    package func rebuild(_ outcome: inout Outcome) throws {
        outcome.gathers = false
        try tables.deleteProjections(conversationRow: nil)
        try project(try entries(conversationRow: nil), &outcome)
        _ = try settle(&outcome)
    }

    /// Computes the projections of one conversation within a transaction, up to what `settle` does at its end.
    func projectAnew(_ id: ConversationID, _ outcome: inout Outcome) throws {
        let (row, group) = try conversation(id)
        group?.namings = Namings()
        waiters = nil
        try tables.deleteProjections(conversationRow: row)
        try project(try entries(conversationRow: row), &outcome)
    }

    private func project(_ entries: [LogProgress], _ outcome: inout Outcome) throws {
        for entry in entries {
            entry.resetProjection()
            entry.readThrough = try tables.readThrough(
                entry.key.log,
                member: identity,
                conversationRow: entry.conversationRow
            )
            outcome.markDirty(entry)
            try recount(entry, &outcome)
        }
        for entry in entries {
            // A log that waits is continued by the event that it waits for.
            try advance(entry, &outcome)
            try advanceUnblocked(&outcome)
        }
        for entry in entries { try touchWithheld(of: entry, &outcome) }
    }

    /// Counts what is held, whether or not it can be applied: bodies, withdrawals, and membership.
    private func recount(_ entry: LogProgress, _ outcome: inout Outcome) throws {
        var sequence = entry.base.sequence + 1
        while sequence <= entry.position.sequence {
            guard let event = try held(sequence, entry)?.event else {
                throw HistoryError.damaged("event \(sequence) is not there")
            }
            try noteBody(of: event, entry, &outcome)
            if event.header.kind.isMembership, let group = entry.group, !group.membership.insert([event]).isEmpty {
                try tables.insertMembership(event, conversationRow: entry.conversationRow)
            }
            sequence += 1
        }
    }
}
