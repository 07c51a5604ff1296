import GRDB
package import ParlanceCore
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
            let statement = Prepared(
                try db.cachedStatement(
                    sql: """
                        SELECT \(ShownMessage.columns) FROM conversation
                        CROSS JOIN log ON log.conversation = conversation.id
                        CROSS JOIN event ON event.log = log.id
                        CROSS JOIN message ON message.conversation = conversation.id
                            AND message.effective = event.effective AND message.id = event.id
                        WHERE conversation.name = ?1 AND log.author = ?2 AND log.replica = ?3
                        AND event.sequence > ?4 AND message.flags & ?6 = 0
                        ORDER BY event.sequence LIMIT ?5
                        """
                )
            )
            statement.bind(1, copying: conversation.bytes)
            statement.bind(2, copying: log.author.bytes)
            statement.bind(3, copying: log.replica.bytes)
            statement.bind(4, bits: sequence)
            statement.bind(5, Int64(max(0, limit)))
            statement.bind(6, Self.neverWaiting.rawValue)
            return try ShownMessage.all(statement, db)
        }
    }

    private static let neverWaiting: MessageTable.Flags = [.note, .deleted]

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
            let messages = Prepared(try db.cachedStatement(sql: Self.messageSequences))
            messages.bind(1, row)
            messages.bind(2, logRow)
            messages.bind(3, bits: first)
            messages.bind(4, Self.neverWaiting.rawValue)
            for statement in [messages, try changeSequences(row, logRow, after: first, db)] {
                defer { statement.reset() }
                var part = 0
                while try statement.next() {
                    while part + 1 < bounds.count, statement.bits(0) > bounds[part + 1] { part += 1 }
                    counts[part] += 1
                }
            }
            return counts
        }
    }

    private static let messageSequences = """
        SELECT event.sequence FROM event CROSS JOIN message ON message.conversation = ?1
            AND message.effective = event.effective AND message.id = event.id
        WHERE event.log = ?2 AND event.sequence > ?3 AND message.flags & ?4 = 0 ORDER BY event.sequence
        """
}
