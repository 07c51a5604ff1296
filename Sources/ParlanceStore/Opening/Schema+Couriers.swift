import GRDB

extension Schema {
    static let addCouriers: @Sendable (Database) throws -> Void = { db in
        for sql in [
            PrekeyTable.create, EnvelopeTable.create,
            "ALTER TABLE peer ADD COLUMN courier INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE peer ADD COLUMN prekeys BLOB", "ALTER TABLE peer ADD COLUMN deposits TEXT",
        ] {
            try db.execute(sql: sql)
        }
    }
}
