import GRDB
import ParlanceCore
import ParlanceWire

/// Events that are not awaited any more (events.md, "Given up"). Whatever refers to one is read as if it did not. It is no
/// projection: how long a log has waited does not follow from the events.
enum GivenUpTable {
    static let create = """
        CREATE TABLE given_up (
            conversation INTEGER NOT NULL,
            id BLOB NOT NULL,
            PRIMARY KEY (conversation, id)
        ) WITHOUT ROWID
        """

    static func insert(_ id: EventID, conversationRow: Int64, _ db: Database) throws {
        let statement = Prepared(try db.cachedStatement(sql: "INSERT OR IGNORE INTO given_up VALUES (?, ?)"))
        statement.bind(1, conversationRow)
        statement.bind(2, copying: id.bytes)
        try statement.run()
    }

    static func all(conversationRow: Int64, _ db: Database) throws -> Set<EventID> {
        let statement = Prepared(try db.cachedStatement(sql: "SELECT id FROM given_up WHERE conversation = ?"))
        statement.bind(1, conversationRow)
        defer { statement.reset() }
        var found: Set<EventID> = []
        while try statement.next() {
            guard let id = EventID(statement.view(0)) else { throw StoreError.damaged("given-up row") }
            found.insert(id)
        }
        return found
    }
}
