import GRDB

/// The version of the rules that produced the projections. Opening a store with another version computes them again.
enum ProjectionTable {
    static let create = """
        CREATE TABLE projection (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            version INTEGER NOT NULL
        )
        """

    /// Increment it with each change of the projections that the same events produce.
    private static let version = 8

    static func isCurrent(_ db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT version FROM projection") == version
    }

    static func markCurrent(_ db: Database) throws {
        try db.execute(sql: "INSERT OR REPLACE INTO projection VALUES (1, ?)", arguments: [version])
    }

    /// Deletes the projections of a conversation, or of all.
    static func deleteAll(_ conversationRow: Int64?, _ db: Database) throws {
        let ofConversation = conversationRow.map { "WHERE conversation = \($0)" } ?? ""
        let ofLogs = conversationRow.map { "WHERE log IN (SELECT id FROM log WHERE conversation = \($0))" } ?? ""
        let events = ofLogs.isEmpty ? "WHERE effective IS NOT NULL" : "\(ofLogs) AND effective IS NOT NULL"
        try db.execute(
            sql: """
                DELETE FROM message \(ofConversation);
                DELETE FROM label \(ofConversation);
                DELETE FROM lifetime \(ofConversation);
                DELETE FROM waiting \(ofLogs);
                DELETE FROM missing \(ofLogs);
                DELETE FROM about \(ofLogs);
                DELETE FROM withdrawal \(ofLogs);
                DELETE FROM file_mention \(ofLogs);
                UPDATE event SET effective = NULL \(events);
                """
        )
    }
}
