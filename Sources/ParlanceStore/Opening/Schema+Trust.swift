import GRDB

extension Schema {
    /// Adds when a request was declined, and the trust in a blocked peer before it was blocked.
    static let addTrust: @Sendable (Database) throws -> Void = { db in
        for sql in ["ALTER TABLE peer ADD COLUMN declined INTEGER", "ALTER TABLE peer ADD COLUMN trust_before TEXT"] {
            try db.execute(sql: sql)
        }
    }
}
