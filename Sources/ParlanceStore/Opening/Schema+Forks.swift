import GRDB

extension Schema {
    /// Adds branches of forked logs, the peer that sent an event, and the time at which a watermark was learnt.
    static let addForks: @Sendable (Database) throws -> Void = { db in
        for sql in [
            "ALTER TABLE watermark ADD COLUMN learnt INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE event ADD COLUMN via BLOB", BranchTable.create, BranchTable.index,
        ] {
            try db.execute(sql: sql)
        }
    }
}
