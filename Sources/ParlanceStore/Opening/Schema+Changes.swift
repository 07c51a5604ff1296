import GRDB

extension Schema {
    /// What one has done to messages, by its place in the own log: it may be waiting.
    static let indexChanges: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: AboutTable.index)
    }
}
