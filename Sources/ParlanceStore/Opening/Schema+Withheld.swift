import GRDB

extension Schema {
    /// Texts of messages that somebody else than their author deleted.
    static let addWithheld: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: WithheldTable.create)
        try db.execute(sql: WithheldTable.index)
    }
}
