import GRDB

extension Schema {
    /// Adds the pictures of people.
    static let addPictures: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: PictureTable.create)
    }
}
