import GRDB
import ParlanceHistory
package import ParlanceRecords
package import ParlanceWire

extension Store {
    /// The newest message that the owner of the store wrote, or that others wrote, in some conversations. Messages
    /// that others have deleted are left out, and those of blocked people.
    ///
    /// In each conversation it is the last in the order shown. Conversations have no common order, so their last
    /// messages are compared by the times shown.
    ///
    /// - Parameter wall: the present time, in milliseconds since 1970.
    package func newestMessage(
        byOwner: Bool,
        in conversations: [ConversationID],
        at wall: Int64
    ) throws(StoreError) -> ShownMessage? {
        try read { db in
            var newest: ShownMessage?
            for conversation in conversations {
                guard let row = try ConversationTable.row(of: conversation, db),
                    let found = try newestMessage(byOwner: byOwner, conversationRow: row, db)
                else { continue }
                if newest.map({ ($0.time.shown(at: wall), $0.id) < (found.time.shown(at: wall), found.id) }) ?? true {
                    newest = found
                }
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
    ) throws(StoreError) -> StoredEvent? {
        try read { db in
            var newest: StoredEvent?
            for conversation in conversations {
                guard let row = try ConversationTable.row(of: conversation, db) else { continue }
                for (log, sequence) in try lastWithdrawn(conversationRow: row, db) {
                    guard let event = try EventTable.find(log: log, sequence: sequence, db)?.event else { continue }
                    let isNewer = newest.map { $0.writtenTime.shown(at: wall) < event.writtenTime.shown(at: wall) }
                    if isNewer ?? true { newest = event }
                }
            }
            return newest
        }
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
