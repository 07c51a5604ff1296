import GRDB

extension Schema {
    /// When an event came whose own time was far ahead, and who handed on a watermark.
    static let addArrival: @Sendable (Database) throws -> Void = { db in
        for sql in ["ALTER TABLE event ADD COLUMN arrived INTEGER", "ALTER TABLE watermark ADD COLUMN via BLOB"] {
            try db.execute(sql: sql)
        }
    }

    /// The same of a membership event.
    static let addMembershipArrival: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: "ALTER TABLE membership ADD COLUMN arrived INTEGER")
    }
}
