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
    private static let version = 7

    static func isCurrent(_ db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT version FROM projection") == version
    }

    static func markCurrent(_ db: Database) throws {
        try db.execute(sql: "INSERT OR REPLACE INTO projection VALUES (1, ?)", arguments: [version])
    }
}
