import GRDB
import ParlanceCore
import ParlanceWire

/// The sequence of our log after which each member of a group is a recipient.
enum RecipientTable {
    static let create = """
        CREATE TABLE recipient (
            conversation INTEGER NOT NULL REFERENCES conversation (id),
            peer BLOB NOT NULL,
            after INTEGER NOT NULL,
            PRIMARY KEY (conversation, peer)
        ) WITHOUT ROWID
        """

    static func save(_ record: RecipientRecord, conversationRow: Int64, _ db: Database) throws {
        let sql = "INSERT OR REPLACE INTO recipient VALUES (?, ?, ?)"
        try db.prepared(sql, conversationRow, record.peer, record.after).run()
    }

    static func all(_ db: Database) throws -> [RecipientRecord] {
        let sql = """
            SELECT conversation.name, recipient.peer, recipient.after
            FROM recipient JOIN conversation ON conversation.id = recipient.conversation
            ORDER BY recipient.conversation, recipient.peer
            """
        return try db.prepared(sql).map { row in
            guard let conversation = ConversationID(row.view(0)), let peer = PeerID(row.view(1)) else {
                throw StoreError.damaged("recipient row")
            }
            return RecipientRecord(conversation: conversation, peer: peer, after: row.bits(2))
        }
    }
}
