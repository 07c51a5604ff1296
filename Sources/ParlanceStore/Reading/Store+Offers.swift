import Foundation
import GRDB
import ParlanceCore
import ParlanceWire

// Files that await a decision.
extension Store {
    /// Files that messages of others name and about which nothing was decided, the newest first.
    static func offers(not own: PeerID, limit: Int, _ db: Database) throws -> [FileOffer] {
        let sql = """
            SELECT conversation.name, file_mention.file, file_mention.size, log.author FROM file_mention
            JOIN log ON log.id = file_mention.log JOIN conversation ON conversation.id = log.conversation
            JOIN event ON event.log = file_mention.log AND event.sequence = file_mention.sequence
            WHERE log.author <> ? AND NOT EXISTS (SELECT 1 FROM transfer WHERE transfer.file = file_mention.file)
            ORDER BY event.effective DESC, event.id DESC, file_mention.place LIMIT ?
            """
        return try Row.fetchAll(db, sql: sql, arguments: [own.data, limit]).map { row in
            guard let conversation = ConversationID(try row.value("name") as Data),
                let file = FileID(try row.value("file") as Data), let sender = PeerID(try row.value("author") as Data),
                let size = UInt64(exactly: try row.value("size") as Int64), size <= Limits.fileBytes
            else { throw StoreError.damaged("file_mention row") }
            return FileOffer(conversation: conversation, file: file, size: size, sender: sender)
        }
    }
}
