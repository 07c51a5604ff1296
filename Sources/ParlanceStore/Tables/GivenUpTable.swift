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
        try db.prepared("INSERT OR IGNORE INTO given_up VALUES (?, ?)", conversationRow, id).run()
    }

    static func all(conversationRow: Int64, _ db: Database) throws -> Set<EventID> {
        let ids = try db.prepared("SELECT id FROM given_up WHERE conversation = ?", conversationRow).map { row in
            guard let id = EventID(row.view(0)) else { throw StoreError.damaged("given-up row") }
            return id
        }
        return Set(ids)
    }
}
