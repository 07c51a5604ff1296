import GRDB

extension Schema {
    /// When an event came whose own time was far ahead.
    static let addArrival: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: "ALTER TABLE event ADD COLUMN arrived INTEGER")
    }
}
