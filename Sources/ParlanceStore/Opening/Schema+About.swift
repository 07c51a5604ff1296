import GRDB

extension Schema {
    /// Divides what is about a message by its kind. The table is a projection, so it is filled again after opening.
    static let divideAbout: @Sendable (Database) throws -> Void = { db in
        for sql in ["DROP TABLE about", AnnotationTable.create, AnnotationTable.index, AnnotationTable.reactionIndex] {
            try db.execute(sql: sql)
        }
    }
}
