import GRDB

extension Schema {
    /// Adds the index for searching. It is filled after opening, step by step.
    static let addSearch: @Sendable (Database) throws -> Void = { db in
        for sql in SearchTables.create { try db.execute(sql: sql) }
    }
}
