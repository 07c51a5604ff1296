import GRDB

extension Schema {
    /// When a request was declined, and how far somebody who is blocked was trusted before.
    static let addTrust: @Sendable (Database) throws -> Void = { db in
        for sql in ["ALTER TABLE peer ADD COLUMN declined INTEGER", "ALTER TABLE peer ADD COLUMN trust_before TEXT"] {
            try db.execute(sql: sql)
        }
    }
}
