import GRDB

extension Schema {
    /// Adds how long the texts of a conversation are kept, and through where those of a log were removed.
    static let addRetention: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: "ALTER TABLE log ADD COLUMN floor INTEGER NOT NULL DEFAULT 0")
        try db.execute(sql: "ALTER TABLE preference ADD COLUMN retention INTEGER")
    }
}
