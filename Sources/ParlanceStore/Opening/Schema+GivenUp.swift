import GRDB

extension Schema {
    static let addGivenUp: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: GivenUpTable.create)
    }
}
