import GRDB

extension Schema {
    static let addWorkspace: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: WorkspaceTable.create)
        try db.execute(sql: WorkspaceTable.createRemoved)
    }
}
