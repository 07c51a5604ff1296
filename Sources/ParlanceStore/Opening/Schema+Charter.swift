import GRDB

extension Schema {
    static let addCharter: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: CharterTable.create)
        try db.execute(sql: CharterTable.createEvents)
    }
}
