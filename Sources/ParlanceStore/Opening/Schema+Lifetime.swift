import GRDB

extension Schema {
    /// Adds what was said about how long messages stay, which is a projection and is filled after opening, and what counts
    /// of it, with the time at which this node learned it.
    static let addLifetime: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: LifetimeTable.create)
        for column in ["agreed", "agreed_since"] {
            try db.execute(sql: "ALTER TABLE preference ADD COLUMN \(column) INTEGER")
        }
    }
}
