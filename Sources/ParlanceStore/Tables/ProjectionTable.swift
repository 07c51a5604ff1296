import GRDB

/// By which rules the projections were made: a store that was written by other rules is projected anew when it is opened.
enum ProjectionTable {
    static let create = """
        CREATE TABLE projection (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            version INTEGER NOT NULL
        )
        """

    /// Counts the changes of what the same events are projected to.
    private static let version = 5

    static func isCurrent(_ db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT version FROM projection") == version
    }

    static func markCurrent(_ db: Database) throws {
        try db.execute(sql: "INSERT OR REPLACE INTO projection VALUES (1, ?)", arguments: [version])
    }
}
