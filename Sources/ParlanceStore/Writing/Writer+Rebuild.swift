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
                try recountBodies(entry)
            }
            for entry in entries {
                // One that waits is woken by what it waits for.
                try advance(entry, db)
                try advanceUnblocked(db)
            }
        }
    }

    private func recountBodies(_ entry: LogEntry) throws {
        var sequence: UInt64 = 1
        while sequence <= entry.position.sequence {
            guard let event = try events.find(log: entry.row, sequence: sequence)?.event else {
                throw StoreError.damaged("event \(sequence) is not there")
            }
            try noteBody(of: event, entry)
            sequence += 1
        }
    }
}
