import GRDB

extension Schema {
    /// Adds the addresses at which a peer takes links, signed by it.
    static let addSignedAddresses: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: "ALTER TABLE peer ADD COLUMN signed_addresses BLOB")
    }
}
