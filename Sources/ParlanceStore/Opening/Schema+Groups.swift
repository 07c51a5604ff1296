import GRDB

extension Schema {
    /// Adds groups, edits, deletions and reactions. Old tables keep their contents; projections are computed after
    /// opening.
    static let addGroups: @Sendable (Database) throws -> Void = { db in
        for sql in [
            "ALTER TABLE message ADD COLUMN flags INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE log ADD COLUMN mentions INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE missing ADD COLUMN target BLOB",
            "ALTER TABLE missing ADD COLUMN excused INTEGER NOT NULL DEFAULT 0",
            "CREATE INDEX missing_target ON missing (target) WHERE target IS NOT NULL",
            MembershipTable.create, RecipientTable.create, AnnotationTable.create, WithdrawalTable.create,
            LabelTable.create, ProjectionTable.create,
        ] {
            try db.execute(sql: sql)
        }
    }
}
