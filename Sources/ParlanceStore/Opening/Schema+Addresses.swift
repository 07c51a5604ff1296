import GRDB

extension Schema {
    /// Where a peer takes links, as it says itself.
    static let addSignedAddresses: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: "ALTER TABLE peer ADD COLUMN signed_addresses BLOB")
    }
}
