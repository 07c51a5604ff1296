import GRDB

extension Schema {
    /// Adds the order in which the owner wrote messages, which the clock does not tell.
    static let addWritten: @Sendable (Database) throws -> Void = { db in
        for sql in EventTable.addWritten { try db.execute(sql: sql) }
    }

    /// Moves the last number of that order into the rows of logs.
    static let addLastWritten: @Sendable (Database) throws -> Void = { db in
        for sql in LogTable.addWritten { try db.execute(sql: sql) }
    }
}
