import GRDB
import ParlanceCore
import ParlanceWire

// Computing the projections again from the events.
extension Writer {
    func rebuild(_ db: Database) throws {
        // Memory may not match the rows after this.
        forget()
        try transaction(db) { outcome in
            outcome.gathers = false
            try dropSearch(db)
            try db.execute(
                sql: """
                    DELETE FROM message;
                    DELETE FROM waiting;
                    DELETE FROM missing;
                    DELETE FROM about;
                    DELETE FROM withdrawal;
                    DELETE FROM label;
                    DELETE FROM lifetime;
                    DELETE FROM file_mention;
                    UPDATE event SET effective = NULL WHERE effective IS NOT NULL;
                    """
            )
            try project(try LogTable.all(db, own: identity).map { try entry($0.key, db) }, &outcome, db)
            _ = try settle(&outcome, db)
            try ProjectionTable.markCurrent(db)
        }
    }

    /// Computes the projections of one conversation within a transaction, up to what `settle` does at its end.
    func projectAnew(_ id: ConversationID, _ outcome: inout Outcome, _ db: Database) throws {
        let (row, group) = try conversation(id, db)
        group?.namings = Namings()
        waiters = nil
        let logs = "(SELECT id FROM log WHERE conversation = \(row))"
        try db.execute(
            sql: """
                DELETE FROM message WHERE conversation = \(row);
                DELETE FROM label WHERE conversation = \(row);
                DELETE FROM lifetime WHERE conversation = \(row);
                DELETE FROM waiting WHERE log IN \(logs);
                DELETE FROM missing WHERE log IN \(logs);
                DELETE FROM about WHERE log IN \(logs);
                DELETE FROM withdrawal WHERE log IN \(logs);
                DELETE FROM file_mention WHERE log IN \(logs);
                UPDATE event SET effective = NULL WHERE log IN \(logs) AND effective IS NOT NULL;
                """
        )
        let keys = try LogTable.all(db, own: identity).filter { $0.conversationRow == row }.map(\.key)
        try project(try keys.map { try entry($0, db) }, &outcome, db)
    }

    private func project(_ entries: [LogEntry], _ outcome: inout Outcome, _ db: Database) throws {
        for entry in entries {
            entry.resetProjection()
            entry.readThrough = try WatermarkTable.readThrough(
                entry.key.log,
                member: identity,
                conversationRow: entry.conversationRow,
                db
            )
            outcome.markDirty(entry)
            try recount(entry, &outcome, db)
        }
        for entry in entries {
            // A log that waits is continued by the event that it waits for.
            try advance(entry, &outcome, db)
            try advanceUnblocked(&outcome, db)
        }
        for entry in entries { try touchWithheld(of: entry, &outcome, db) }
    }

    /// Counts what is held, whether or not it can be applied: bodies, withdrawals, and membership.
    private func recount(_ entry: LogEntry, _ outcome: inout Outcome, _ db: Database) throws {
        var sequence = entry.base.sequence + 1
        while sequence <= entry.position.sequence {
            guard let event = try held(sequence, entry)?.event else {
                throw StoreError.damaged("event \(sequence) is not there")
            }
            try noteBody(of: event, entry, &outcome, db)
            if event.header.kind.isMembership, let group = entry.group, !group.membership.insert([event]).isEmpty {
                try MembershipTable.insert(event, conversationRow: entry.conversationRow, db)
            }
            sequence += 1
        }
    }
}
