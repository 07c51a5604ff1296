import GRDB

extension Schema {
    /// Adds in which hours of the last days each peer was here, how long the node has run, and how long it had when each
    /// prekey was made.
    static let addTimes: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: PeerTable.addHours)
        try db.execute(sql: MetaTable.addRan)
        try db.execute(sql: PrekeyTable.addBorn)
    }
}
