import GRDB
import ParlanceHistory
package import ParlanceRecords
package import ParlanceWire

extension Store {
    /// The newest message that the owner of the store wrote, or that others wrote, in some conversations. Deleted
    /// messages and those of blocked people are left out.
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

    private func newestMessage(byOwner: Bool, conversationRow: Int64, _ db: Database) throws -> ShownMessage? {
        // Read the authors before the texts: the owner may have written the last ten thousand messages.
        let sql = """
            SELECT \(ShownMessage.columns) FROM message CROSS JOIN log ON log.id = message.log
            CROSS JOIN event ON event.log = message.log AND event.sequence = message.sequence
            WHERE message.conversation = ? AND message.flags & ? = 0 AND (log.author = ?) = ?
            AND log.author NOT IN (SELECT id FROM peer WHERE trust = 'blocked')
            ORDER BY message.effective DESC, message.id DESC LIMIT 1
            """
        let hidden: LineFlags = [.note, .deleted]
        return try ShownMessage.all(db.prepared(sql, conversationRow, hidden, identity, byOwner), db).first
    }
}
