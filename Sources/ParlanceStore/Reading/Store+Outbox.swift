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

    /// The number of `ownMessages` without a limit.
    package func waitingCount(
        _ conversation: ConversationID,
        log: LogID,
        after sequence: UInt64
    ) throws(StoreError) -> Int {
        guard sequence <= UInt64(Int64.max) else { return 0 }
        return try read { db in
            let statement = Prepared(
                try db.cachedStatement(
                    sql: """
                        SELECT count(*) FROM conversation
                        CROSS JOIN log ON log.conversation = conversation.id
                        CROSS JOIN event ON event.log = log.id
                        CROSS JOIN message ON message.conversation = conversation.id
                            AND message.effective = event.effective AND message.id = event.id
                        WHERE conversation.name = ?1 AND log.author = ?2 AND log.replica = ?3
                        AND event.sequence > ?4 AND message.flags & ?5 = 0
                        """
                )
            )
            statement.bind(1, copying: conversation.bytes)
            statement.bind(2, copying: log.author.bytes)
            statement.bind(3, copying: log.replica.bytes)
            statement.bind(4, bits: sequence)
            statement.bind(5, Self.neverWaiting.rawValue)
            defer { statement.reset() }
            return try statement.next() ? Int(clamping: statement.bits(0)) : 0
        }
    }
}
