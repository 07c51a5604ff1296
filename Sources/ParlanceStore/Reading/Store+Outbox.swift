import GRDB
import ParlanceHistory
package import ParlanceRecords
package import ParlanceWire

// What may wait for delivery: the part of our own logs that others lack.
extension Store {
    /// The messages of a log after a sequence, in their order. Notes, and withdrawn or deleted messages, are excluded.
    package func ownMessages(
        _ conversation: ConversationID,
        log: LogID,
        after sequence: UInt64,
        limit: Int
    ) throws(StoreError) -> [ShownMessage] {
        guard sequence <= UInt64(Int64.max) else { return [] }
        return try read { db in
            let sql = """
                SELECT \(ShownMessage.columns) FROM conversation
                CROSS JOIN log ON log.conversation = conversation.id
                CROSS JOIN event ON event.log = log.id
                CROSS JOIN message ON message.conversation = conversation.id
                    AND message.effective = event.effective AND message.id = event.id
                WHERE conversation.name = ? AND log.author = ? AND log.replica = ?
                AND event.sequence > ? AND message.flags & ? = 0
                ORDER BY event.sequence LIMIT ?
                """
            let hidden = Self.neverWaiting
            let rows = try db.prepared(sql, conversation, log.author, log.replica, sequence, hidden, max(0, limit))
            return try ShownMessage.all(rows, db)
        }
    }

    private static let neverWaiting: LineFlags = [.note, .deleted]

    /// The number of `ownMessages` and `ownChanges` in each part of a log, all of one moment.
    ///
    /// - Parameter bounds: the sequences after which the parts begin, in ascending order. Each part ends at the next one, the
    ///   last at the end of the log.
    package func waitingCounts(
        _ conversation: ConversationID,
        log: LogID,
        after bounds: [UInt64]
    ) throws(StoreError) -> [Int] {
        let none = bounds.map { _ in 0 }
        guard let first = bounds.first, first <= UInt64(Int64.max) else { return none }
        return try read { db in
            var counts = none
            guard let row = try ConversationTable.row(of: conversation, db),
                let logRow = try LogTable.row(of: log, conversationRow: row, db)
            else { return counts }
            let messages = try db.prepared(Self.messageSequences, row, logRow, first, Self.neverWaiting)
            for statement in [messages, try changeSequences(row, logRow, after: first, db)] {
                var part = 0
                try statement.each { row in
                    while part + 1 < bounds.count, row.bits(0) > bounds[part + 1] { part += 1 }
                    counts[part] += 1
                }
            }
            return counts
        }
    }

    private static let messageSequences = """
        SELECT event.sequence FROM event CROSS JOIN message ON message.conversation = ?
            AND message.effective = event.effective AND message.id = event.id
        WHERE event.log = ? AND event.sequence > ? AND message.flags & ? = 0 ORDER BY event.sequence
        """
}
