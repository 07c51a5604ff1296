import GRDB
import ParlanceCore
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
        let statement = Prepared(
            try db.cachedStatement(
                sql: """
                    INSERT OR IGNORE INTO membership (conversation, id, header, body, signature, arrived)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """
            )
        )
        statement.bind(1, conversationRow)
        statement.bind(2, copying: event.id.bytes)
        statement.bind(3, copying: event.headerBytes)
        if let body = event.body { statement.bind(4, copying: body) } else { statement.bindNull(4) }
        if let signature = event.signature { statement.bind(5, copying: signature) } else { statement.bindNull(5) }
        if let arrived = event.arrived { statement.bind(6, arrived) } else { statement.bindNull(6) }
        try statement.run()
    }

    static func delete(_ id: EventID, conversationRow: Int64, _ db: Database) throws {
        let statement = Prepared(
            try db.cachedStatement(sql: "DELETE FROM membership WHERE conversation = ? AND id = ?")
        )
        statement.bind(1, conversationRow)
        statement.bind(2, copying: id.bytes)
        try statement.run()
    }

    static func events(conversationRow: Int64, _ db: Database) throws -> [StoredEvent] {
        let statement = Prepared(
            try db.cachedStatement(
                sql: "\(selection) WHERE conversation = ? ORDER BY place"
            )
        )
        statement.bind(1, conversationRow)
        return try read(statement)
    }

    static func all(_ db: Database) throws -> [StoredEvent] {
        try read(Prepared(try db.cachedStatement(sql: "\(selection) ORDER BY place")))
    }

    /// A membership event by ID; `nil` if it is not held.
    static func find(_ id: EventID, conversationRow: Int64, _ db: Database) throws -> StoredEvent? {
        let statement = Prepared(try db.cachedStatement(sql: "\(selection) WHERE conversation = ? AND id = ?"))
        statement.bind(1, conversationRow)
        statement.bind(2, copying: id.bytes)
        return try read(statement).first
    }

    private static let selection = "SELECT id, header, body, signature, arrived FROM membership"

    /// The events that are applied in their logs or in branches of these.
    static func applied(conversationRow: Int64, _ db: Database) throws -> Set<EventID> {
        let statement = Prepared(
            try db.cachedStatement(
                sql: """
                    SELECT 1 FROM log CROSS JOIN event ON event.log = log.id AND event.sequence = ?
                    WHERE log.conversation = ? AND log.author = ? AND event.id = ? AND event.effective IS NOT NULL
                    """
            )
        )
        statement.bind(2, conversationRow)
        defer { statement.reset() }
        var found: Set<EventID> = []
        for event in try events(conversationRow: conversationRow, db) {
            statement.bind(1, bits: event.header.sequence)
            statement.bind(3, copying: event.header.log.author.bytes)
            statement.bind(4, copying: event.id.bytes)
            if try statement.next() { found.insert(event.id) }
            statement.reset()
        }
        return found
    }

    private static func read(_ statement: Prepared) throws -> [StoredEvent] {
        defer { statement.reset() }
        var found: [StoredEvent] = []
        while try statement.next() { found.append(try EventTable.event(statement)) }
        return found
    }
}
