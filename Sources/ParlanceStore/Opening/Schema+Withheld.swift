import GRDB

extension Schema {
    /// Adds texts of messages that somebody other than their author deleted.
    static let addWithheld: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: WithheldTable.create)
        try db.execute(sql: WithheldTable.index)
    }
}
