import GRDB
import ParlanceWords

/// The database schema, and its migrations.
///
/// The version is SQLite's `user_version`. All necessary migrations run in one transaction, so a store is never between
/// two versions.
enum Schema {
    /// "PLNS", SQLite's `application_id`: distinguishes this program's stores from other databases.
    static let applicationID: Int64 = 0x504C_4E53

    /// One migration for each version, the first from an empty file to version 1. A released migration never changes.
    static let migrations: [@Sendable (Database) throws -> Void] = [
        createFirst, addGeneration, addGroups, addForks, addArrival, addMembershipArrival, divideAbout,
        addWorkspace, addTrust, addCouriers, addSignedAddresses, addWithheld, addPreferences, addSearch,
        addRetention, addLifetime, addFiles, addTimes, addClearing, addPictures, addCharter, addGivenUp,
        addWritten, addLastWritten,
    ]

    static var version: Int { migrations.count }

    /// What identifies a file, read before anything in it is changed.
    struct Label {
        let applicationID: Int64
        let version: Int
        let tables: Int

        init(_ db: Database) throws {
            applicationID = try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0
            version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        }

        func check() throws(StoreError) {
            let isEmpty = applicationID == 0 && version == 0 && tables == 0
            guard isEmpty || applicationID == Schema.applicationID else {
                throw StoreError(
                    .foreign,
                    "The file store.sqlite was not made by Parlance.",
                    advice: "Move it elsewhere, or choose another data folder."
                )
            }
            guard version <= Schema.version else {
                throw StoreError(
                    .newerSchema,
                    """
                    The message store was written by a newer Parlance: it has version \(version), this program knows \
                    up to \(Schema.version).
                    """,
                    advice: "Update Parlance; the store was not touched."
                )
            }
        }
    }

    static func migrate(_ db: Database) throws {
        let found = try Label(db)
        try found.check()
        guard found.version < version else { return }
        try db.inTransaction(.immediate) {
            for step in migrations.dropFirst(found.version) { try step(db) }
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(version)")
            return .commit
        }
    }

    private static let createFirst: @Sendable (Database) throws -> Void = { db in
        for table in [
            MetaTable.create, ConversationTable.create, LogTable.create, EventTable.create, MissingTable.create,
            PeerTable.create, WatermarkTable.create, MessageTable.create, WaitingTable.create,
        ] {
            try db.execute(sql: table)
        }
    }

    private static let addGeneration: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: MetaTable.addGeneration)
    }
}
