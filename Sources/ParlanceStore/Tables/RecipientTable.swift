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
        let statement = Prepared(try db.cachedStatement(sql: "INSERT OR REPLACE INTO recipient VALUES (?, ?, ?)"))
        statement.bind(1, conversationRow)
        statement.bind(2, copying: record.peer.bytes)
        statement.bind(3, bits: record.after)
        try statement.run()
    }

    static func all(_ db: Database) throws -> [RecipientRecord] {
        let statement = Prepared(
            try db.cachedStatement(
                sql: """
                    SELECT conversation.name, recipient.peer, recipient.after
                    FROM recipient JOIN conversation ON conversation.id = recipient.conversation
                    ORDER BY recipient.conversation, recipient.peer
                    """
            )
        )
        defer { statement.reset() }
        var found: [RecipientRecord] = []
        while try statement.next() {
            guard let conversation = ConversationID(statement.view(0)), let peer = PeerID(statement.view(1)) else {
                throw StoreError.damaged("recipient row")
            }
            found.append(RecipientRecord(conversation: conversation, peer: peer, after: statement.bits(2)))
        }
        return found
    }
}
