import GRDB

extension Schema {
    /// Adds in which hours of the last days each peer was here.
    static let addHours: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: PeerTable.addHours)
    }
}
