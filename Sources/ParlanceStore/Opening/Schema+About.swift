import GRDB

extension Schema {
    /// What is about a message by its kind. It is projected, so it is made anew after the opening.
    static let divideAbout: @Sendable (Database) throws -> Void = { db in
        for sql in ["DROP TABLE about", AnnotationTable.create, AnnotationTable.index, AnnotationTable.reactionIndex] {
            try db.execute(sql: sql)
        }
    }
}
