import GRDB

extension Schema {
    /// Adds the files that messages name, which is a projection and is filled after opening, and what was decided about
    /// them.
    static let addFiles: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: FileMentionTable.create)
        try db.execute(sql: FileMentionTable.index)
        try db.execute(sql: TransferTable.create)
    }
}
