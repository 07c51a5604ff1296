import GRDB

extension Schema {
    /// Adds the user's own settings for conversations.
    static let addPreferences: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: PreferenceTable.create)
    }
}
