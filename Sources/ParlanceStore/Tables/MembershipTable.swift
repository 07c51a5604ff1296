import GRDB
import ParlanceRecords
import ParlanceWire

/// The membership events of groups, in the order of arrival, alone or in a log.
///
/// This is not a projection: an event that arrived alone is stored only here.
struct MembershipTable {
    static let create = """
        CREATE TABLE membership (
            place INTEGER PRIMARY KEY,
            conversation INTEGER NOT NULL REFERENCES conversation (id),
            id BLOB NOT NULL,
            header BLOB NOT NULL,
            body BLOB,
            signature BLOB,
            UNIQUE (conversation, id)
        )
        """

    static func insert(_ event: StoredEvent, conversationRow: Int64, _ db: Database) throws {
        let sql = """
            INSERT OR IGNORE INTO membership (conversation, id, header, body, signature, arrived)
            VALUES (?, ?, ?, ?, ?, ?)
            """
        let (header, body) = (event.headerBytes, event.body)
        try db.prepared(sql, conversationRow, event.id, header, body, event.signature, event.arrived).run()
    }

    static func delete(_ id: EventID, conversationRow: Int64, _ db: Database) throws {
        try db.prepared("DELETE FROM membership WHERE conversation = ? AND id = ?", conversationRow, id).run()
    }

    static func events(conversationRow: Int64, _ db: Database) throws -> [StoredEvent] {
        try db.prepared("\(selection) WHERE conversation = ? ORDER BY place", conversationRow).map(EventTable.event)
    }

    static func all(_ db: Database) throws -> [StoredEvent] {
        try db.prepared("\(selection) ORDER BY place").map(EventTable.event)
    }

    /// A membership event by ID; `nil` if it is not held.
    static func find(_ id: EventID, conversationRow: Int64, _ db: Database) throws -> StoredEvent? {
        try db.prepared("\(selection) WHERE conversation = ? AND id = ?", conversationRow, id).first(EventTable.event)
    }

    private static let selection = "SELECT id, header, body, signature, arrived FROM membership"

    /// The events that are applied in their logs or in branches of these.
    static func applied(conversationRow: Int64, _ db: Database) throws -> Set<EventID> {
        let sql = """
            SELECT 1 FROM log CROSS JOIN event ON event.log = log.id AND event.sequence = ?
            WHERE log.conversation = ? AND log.author = ? AND event.id = ? AND event.effective IS NOT NULL
            """
        let applied = try events(conversationRow: conversationRow, db).filter { event in
            let header = event.header
            return try db.prepared(sql, header.sequence, conversationRow, header.log.author, event.id).exists()
        }
        return Set(applied.map(\.id))
    }
}
