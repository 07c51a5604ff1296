import GRDB
import ParlanceCore
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

    func save(_ seconds: UInt64, _ event: StoredEvent, effective: UInt64, _ entry: LogEntry) throws {
        bind(insertion, event, effective, entry)
        insertion.bind(5, bits: seconds)
        try insertion.run()
    }

    func delete(_ event: StoredEvent, effective: UInt64, _ entry: LogEntry) throws {
        bind(deletion, event, effective, entry)
        try deletion.run()
    }

    private func bind(_ statement: Prepared, _ event: StoredEvent, _ effective: UInt64, _ entry: LogEntry) {
        statement.bind(1, entry.conversationRow)
        statement.bind(2, entry.isOwn ? 1 : 0)
        statement.bind(3, bits: effective)
        statement.bind(4, copying: event.id.bytes)
    }

    /// What counts in a conversation.
    static func terms(of id: ConversationID, _ conversationRow: Int64, _ db: Database) throws -> LifetimeTerms {
        LifetimeTerms(
            conversation: id,
            own: try last(isOwn: true, conversationRow, db),
            others: try last(isOwn: false, conversationRow, db)
        )
    }

    /// The conversations in which there is any.
    static func conversations(_ db: Database) throws -> Set<Int64> {
        try Int64.fetchSet(db, sql: "SELECT DISTINCT conversation FROM lifetime")
    }

    private static func last(isOwn: Bool, _ conversationRow: Int64, _ db: Database) throws -> Lifetime? {
        let statement = Prepared(
            try db.cachedStatement(
                sql: """
                    SELECT seconds, effective, id FROM lifetime WHERE conversation = ? AND is_own = ?
                    ORDER BY effective DESC, id DESC LIMIT 1
                    """
            )
        )
        statement.bind(1, conversationRow)
        statement.bind(2, isOwn ? 1 : 0)
        defer { statement.reset() }
        guard try statement.next() else { return nil }
        guard let id = EventID(statement.view(2)) else { throw StoreError.damaged("lifetime row") }
        return Lifetime(seconds: statement.bits(0), effective: statement.bits(1), id: id)
    }
}
