import GRDB

extension Schema {
    /// Adds what was said about how long messages stay. It is a projection, so it is filled after opening.
    static let addLifetime: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: LifetimeTable.create)
    }
}
