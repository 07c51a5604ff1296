import GRDB

extension Schema {
    /// Adds how long the texts of a conversation are kept, through where those of a log were removed, and when a
    /// conversation is quiet each day.
    static let addRetention: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: "ALTER TABLE log ADD COLUMN floor INTEGER NOT NULL DEFAULT 0")
        for column in ["retention", "quiet_start", "quiet_end"] {
            try db.execute(sql: "ALTER TABLE preference ADD COLUMN \(column) INTEGER")
        }
    }
}
