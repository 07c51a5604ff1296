import GRDB
import ParlanceHistory
package import ParlanceWire

extension Store {
    /// The first message, in the order of the conversation, that `LogProgress` counts as unread.
    package func firstUnread(in conversation: ConversationID) throws(StoreError) -> EventID? {
        try read { db in
            guard let found = try ConversationTable.find(conversation, db) else { return nil }
            let marks = try LogTable.readMarks(found.row, db)
                .filter { $0.log.author != identity && $0.read < $0.applied.sequence }
            return try marks.compactMap { try Self.firstUnread($0, found.row, db) }.min { $0 < $1 }?.id
        }
    }

    /// The first of a log, and its place in the conversation. In a log, the order is that of the sequence numbers.
    private static func firstUnread(
        _ mark: LogTable.ReadMark,
        _ conversationRow: Int64,
        _ db: Database
    ) throws -> (effective: UInt64, id: EventID)? {
        let sql = """
            SELECT message.effective, message.id FROM event JOIN message
            ON message.conversation = ? AND message.effective = event.effective AND message.id = event.id
            WHERE event.log = ? AND event.sequence > ? AND message.flags & ? = 0
            ORDER BY event.sequence LIMIT 1
            """
        let hidden: LineFlags = [.note, .deleted]
        return try db.prepared(sql, conversationRow, mark.row, mark.read, hidden).first { row in
            guard let id = EventID(row.view(1)) else { throw StoreError.damaged("message row of log \(mark.row)") }
            return (row.bits(0), id)
        }
    }
}
