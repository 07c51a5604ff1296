import GRDB
import ParlanceCore
import ParlanceWire

// Making the projections again from the events.
extension Writer {
    func rebuild(_ db: Database) throws {
        // What is remembered is not what the rows will say.
        forget()
        try transaction(db) {
            outcome.gathers = false
            try db.execute(
                sql: """
                    DELETE FROM message;
                    DELETE FROM waiting;
                    DELETE FROM missing;
                    DELETE FROM about;
                    DELETE FROM withdrawal;
                    DELETE FROM label;
                    UPDATE event SET effective = NULL WHERE effective IS NOT NULL;
                    """
            )
            let entries = try LogTable.all(db, own: identity).map { try entry($0.key, db) }
            for entry in entries {
                entry.resetProjection()
                entry.readThrough = try WatermarkTable.readThrough(
                    entry.key.log,
                    member: identity,
                    conversationRow: entry.conversationRow,
                    db
                )
                markDirty(entry)
                try recount(entry, db)
            }
            for entry in entries {
                // One that waits is woken by what it waits for.
                try advance(entry, db)
                try advanceUnblocked(db)
            }
            _ = try settle(db)
            try ProjectionTable.markCurrent(db)
        }
    }

    /// Counts what is held, whether or not it can be applied: bodies, withdrawals, and who is in a group.
    private func recount(_ entry: LogEntry, _ db: Database) throws {
        var sequence: UInt64 = 1
        while sequence <= entry.position.sequence {
            guard let event = try events.find(log: entry.row, sequence: sequence)?.event else {
                throw StoreError.damaged("event \(sequence) is not there")
            }
            try noteBody(of: event, entry, db)
            if event.header.kind.isMembership, let group = entry.group, !group.membership.insert([event]).isEmpty {
                try MembershipTable.insert(event, conversationRow: entry.conversationRow, db)
            }
            sequence += 1
        }
    }
}
