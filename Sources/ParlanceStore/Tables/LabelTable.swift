import GRDB
import ParlanceCore
import ParlanceWire

/// Titles and topics that count, in the order shown: a projection. The last of each kind is the group's.
struct LabelTable {
    static let create = """
        CREATE TABLE label (
            conversation INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            effective INTEGER NOT NULL,
            id BLOB NOT NULL,
            text BLOB NOT NULL,
            PRIMARY KEY (conversation, kind, effective, id)
        ) WITHOUT ROWID
        """

    private let insertion, deletion: Prepared

    init(_ db: Database) throws {
        insertion = try Prepared(db, "INSERT OR REPLACE INTO label VALUES (?, ?, ?, ?, ?)")
        deletion = try Prepared(
            db,
            "DELETE FROM label WHERE conversation = ? AND kind = ? AND effective = ? AND id = ?"
        )
    }

    func save(_ text: String, _ event: StoredEvent, effective: UInt64, conversationRow: Int64) throws {
        bind(insertion, event, effective, conversationRow)
        insertion.bind(5, copying: Array(text.utf8))
        try insertion.run()
    }

    func delete(_ event: StoredEvent, effective: UInt64, conversationRow: Int64) throws {
        bind(deletion, event, effective, conversationRow)
        try deletion.run()
    }

    private func bind(_ statement: Prepared, _ event: StoredEvent, _ effective: UInt64, _ conversationRow: Int64) {
        statement.bind(1, conversationRow)
        statement.bind(2, Int64(event.header.kind.number))
        statement.bind(3, bits: effective)
        statement.bind(4, copying: event.id.bytes)
    }

    /// The title and topic of a group; empty if no applied event sets one.
    static func label(of id: ConversationID, _ conversationRow: Int64, _ db: Database) throws -> GroupLabel {
        let title = try last(.title, conversationRow, db) ?? last(.create, conversationRow, db)
        let topic = try last(.topic, conversationRow, db)
        return GroupLabel(conversation: id, title: title ?? "", topic: topic ?? "")
    }

    private static func last(_ kind: EventKind, _ conversationRow: Int64, _ db: Database) throws -> String? {
        let statement = Prepared(
            try db.cachedStatement(
                sql: """
                    SELECT text FROM label WHERE conversation = ? AND kind = ?
                    ORDER BY effective DESC, id DESC LIMIT 1
                    """
            )
        )
        statement.bind(1, conversationRow)
        statement.bind(2, Int64(kind.number))
        defer { statement.reset() }
        return try statement.next() ? String(decoding: statement.view(0), as: UTF8.self) : nil
    }
}
