import GRDB
import ParlanceRecords
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
        try insertion.binding(conversationRow, event.header.kind.number, effective, event.id, Array(text.utf8)).run()
    }

    func delete(_ event: StoredEvent, effective: UInt64, conversationRow: Int64) throws {
        try deletion.binding(conversationRow, event.header.kind.number, effective, event.id).run()
    }

    /// The last text of a kind, in the order shown.
    static func last(_ kind: EventKind, _ conversationRow: Int64, _ db: Database) throws -> String? {
        let sql = """
            SELECT text FROM label WHERE conversation = ? AND kind = ?
            ORDER BY effective DESC, id DESC LIMIT 1
            """
        return try db.prepared(sql, conversationRow, kind.number).first { String(decoding: $0.view(0), as: UTF8.self) }
    }
}
