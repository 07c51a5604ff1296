import GRDB

extension Schema {
    /// Adds through where the user has cleared each log, and which conversations lists leave out.
    static let addClearing: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: "ALTER TABLE log ADD COLUMN cleared INTEGER NOT NULL DEFAULT 0")
        try db.execute(sql: "ALTER TABLE preference ADD COLUMN unlisted INTEGER")
    }
}
