import GRDB
import ParlanceHistory
package import ParlanceRecords
package import ParlanceWire

/// When a message was written, among those of several conversations, which have no common order.
///
/// Messages that the owner wrote are compared by the order of writing, whatever the clock said; those of others, and all
/// from before version 23 of the schema, by the times shown.
package struct WritingRank: Comparable, Sendable {
    /// The order in which the owner wrote it here; 0 if that is not known.
    let order: Int64
    /// The time shown, in milliseconds since 1970.
    let time: Int64
    let id: EventID

    package static func < (a: WritingRank, b: WritingRank) -> Bool {
        (a.order, a.time, a.id) < (b.order, b.time, b.id)
    }
}

extension Store {
    /// The newest message that the owner of the store wrote, or that others wrote, in some conversations. Messages
    /// that others have deleted are left out, and those of blocked people.
    ///
    /// In each conversation it is the last in the order shown.
    ///
    /// - Parameter wall: the present time, in milliseconds since 1970.
    package func newestMessage(
        byOwner: Bool,
        in conversations: [ConversationID],
        at wall: Int64
    ) throws(StoreError) -> (message: ShownMessage, rank: WritingRank)? {
        try read { db in
            var newest: (message: ShownMessage, rank: WritingRank)?
            for conversation in conversations {
                guard let row = try ConversationTable.row(of: conversation, db),
                    let found = try newestMessage(byOwner: byOwner, conversationRow: row, db)
                else { continue }
                let rank = try rank(of: found, at: wall, db)
                if newest.map({ $0.rank < rank }) ?? true { newest = (found, rank) }
            }
            return newest
        }
    }

    /// The newest message in some conversations that the owner of the store wrote and has taken back, without its text.
    ///
    /// - Parameter wall: the present time, in milliseconds since 1970.
    package func newestWithdrawn(
        in conversations: [ConversationID],
        at wall: Int64
    ) throws(StoreError) -> (event: StoredEvent, rank: WritingRank)? {
        try read { db in
            var newest: (event: StoredEvent, rank: WritingRank)?
            for conversation in conversations {
                guard let row = try ConversationTable.row(of: conversation, db) else { continue }
                for (log, sequence) in try lastWithdrawn(conversationRow: row, db) {
                    guard let event = try EventTable.find(log: log, sequence: sequence, db)?.event else { continue }
                    let rank = WritingRank(
                        order: try EventTable.written(log: log, sequence: sequence, db) ?? 0,
                        time: event.writtenTime.shown(at: wall),
                        id: event.id
                    )
                    if newest.map({ $0.rank < rank }) ?? true { newest = (event, rank) }
                }
            }
            return newest
        }
    }

    /// When a message was written, to be compared with others.
    ///
    /// - Parameter wall: the present time, in milliseconds since 1970.
    package func rank(of message: ShownMessage, at wall: Int64) throws(StoreError) -> WritingRank {
        try read { db in try rank(of: message, at: wall, db) }
    }

    private func rank(of message: ShownMessage, at wall: Int64, _ db: Database) throws -> WritingRank {
        var order: Int64?
        if message.log.author == identity, let row = try ConversationTable.row(of: message.conversation, db),
            let log = try LogTable.row(of: message.log, conversationRow: row, db)
        {
            order = try EventTable.written(log: log, sequence: message.sequence, db)
        }
        return WritingRank(order: order ?? 0, time: message.time.shown(at: wall), id: message.id)
    }

    /// The row of each log of the owner in a conversation, with the sequence of the last message that is taken back.
    private func lastWithdrawn(conversationRow: Int64, _ db: Database) throws -> [(log: Int64, sequence: UInt64)] {
        let sql = """
            SELECT log.id, max(withdrawal.sequence) FROM log JOIN withdrawal ON withdrawal.log = log.id
            WHERE log.conversation = ? AND log.author = ? AND withdrawal.counts = 1 GROUP BY log.id
            """
        return try db.prepared(sql, conversationRow, identity).map { ($0.integer(0), $0.bits(1)) }
    }

    private func newestMessage(byOwner: Bool, conversationRow: Int64, _ db: Database) throws -> ShownMessage? {
        // Read the authors before the texts: the owner may have written the last ten thousand messages.
        let sql = """
            SELECT \(ShownMessage.columns) FROM message CROSS JOIN log ON log.id = message.log
            CROSS JOIN event ON event.log = message.log AND event.sequence = message.sequence
            WHERE message.conversation = ? AND message.flags & ? = 0 AND (log.author = ?) = ?
            AND log.author NOT IN (SELECT id FROM peer WHERE trust = 'blocked')
            ORDER BY message.effective DESC, message.id DESC LIMIT 1
            """
        // A deleted message of the owner's own is the last one too: no older one is changed in its place.
        let hidden: LineFlags = byOwner ? .note : [.note, .deleted]
        return try ShownMessage.all(db.prepared(sql, conversationRow, hidden, identity, byOwner), db).first
    }
}
