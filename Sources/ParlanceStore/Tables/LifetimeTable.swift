import GRDB
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

/// What was said about how long messages stay, as far as it counts, in the order shown: a projection.
struct LifetimeTable {
    static let create = """
        CREATE TABLE lifetime (
            conversation INTEGER NOT NULL,
            is_own INTEGER NOT NULL,
            effective INTEGER NOT NULL,
            id BLOB NOT NULL,
            seconds INTEGER NOT NULL,
            PRIMARY KEY (conversation, is_own, effective, id)
        ) WITHOUT ROWID
        """

    private let insertion, deletion: Prepared

    init(_ db: Database) throws {
        insertion = try Prepared(db, "INSERT OR REPLACE INTO lifetime VALUES (?, ?, ?, ?, ?)")
        deletion = try Prepared(
            db,
            "DELETE FROM lifetime WHERE conversation = ? AND is_own = ? AND effective = ? AND id = ?"
        )
    }

    func save(_ seconds: UInt64, _ event: StoredEvent, effective: UInt64, _ entry: LogProgress) throws {
        try insertion.binding(entry.conversationRow, entry.isOwn, effective, event.id, seconds).run()
    }

    func delete(_ event: StoredEvent, effective: UInt64, _ entry: LogProgress) throws {
        try deletion.binding(entry.conversationRow, entry.isOwn, effective, event.id).run()
    }

    /// The conversations in which there is any.
    static func conversations(_ db: Database) throws -> Set<Int64> {
        try Int64.fetchSet(db, sql: "SELECT DISTINCT conversation FROM lifetime")
    }

    /// The last in the order shown.
    static func last(isOwn: Bool, _ conversationRow: Int64, _ db: Database) throws -> Lifetime? {
        let sql = """
            SELECT seconds, effective, id FROM lifetime WHERE conversation = ? AND is_own = ?
            ORDER BY effective DESC, id DESC LIMIT 1
            """
        return try db.prepared(sql, conversationRow, isOwn).first { row in
            guard let id = EventID(row.view(2)) else { throw StoreError.damaged("lifetime row") }
            return Lifetime(seconds: row.bits(0), effective: row.bits(1), id: id)
        }
    }
}
