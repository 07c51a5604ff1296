import GRDB

extension Schema {
    /// Adds the arrival time of events whose own time was far ahead, and the peer that passed on a watermark.
    static let addArrival: @Sendable (Database) throws -> Void = { db in
        for sql in ["ALTER TABLE event ADD COLUMN arrived INTEGER", "ALTER TABLE watermark ADD COLUMN via BLOB"] {
            try db.execute(sql: sql)
        }
    }

    /// Adds the arrival time of membership events.
    static let addMembershipArrival: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: "ALTER TABLE membership ADD COLUMN arrived INTEGER")
    }
}
