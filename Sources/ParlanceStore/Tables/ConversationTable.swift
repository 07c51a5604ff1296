import GRDB
import ParlanceCore
import ParlanceWire

/// A row for each conversation, with the row number by which other tables refer to it.
enum ConversationTable {
    static let create = """
        CREATE TABLE conversation (
            id INTEGER PRIMARY KEY,
            name BLOB NOT NULL UNIQUE,
            kind INTEGER NOT NULL,
            peer BLOB
        )
        """

    /// The values of the column `kind`.
    private static let direct: Int64 = 1
    private static let group: Int64 = 2

    static func save(_ record: ConversationRecord, _ db: Database) throws {
        var kind = group
        var peer: PeerID?
        if case .direct(let other) = record.kind { (kind, peer) = (direct, other) }
        try db.execute(
            sql: """
                INSERT INTO conversation (name, kind, peer) VALUES (?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET kind = excluded.kind, peer = excluded.peer
                """,
            arguments: [record.id.data, kind, peer?.data]
        )
    }

    static func row(of id: ConversationID, _ db: Database) throws -> Int64? {
        let statement = Prepared(try db.cachedStatement(sql: "SELECT id FROM conversation WHERE name = ?"))
        statement.bind(1, copying: id.bytes)
        defer { statement.reset() }
        return try statement.next() ? statement.integer(0) : nil
    }

    /// The row number of a conversation, and whether it is a group.
    static func find(_ id: ConversationID, _ db: Database) throws -> (row: Int64, isGroup: Bool)? {
        let statement = Prepared(try db.cachedStatement(sql: "SELECT id, kind FROM conversation WHERE name = ?"))
        statement.bind(1, copying: id.bytes)
        defer { statement.reset() }
        return try statement.next() ? (statement.integer(0), statement.integer(1) == group) : nil
    }

    /// All conversations with their row numbers, in the order of creation.
    static func all(_ db: Database) throws -> [(row: Int64, record: ConversationRecord)] {
        let statement = Prepared(
            try db.cachedStatement(sql: "SELECT id, name, kind, peer FROM conversation ORDER BY id")
        )
        defer { statement.reset() }
        var found: [(row: Int64, record: ConversationRecord)] = []
        while try statement.next() {
            let peer = PeerID(statement.view(3))
            let kind = peer.map { ConversationRecord.Kind.direct($0) } ?? .group
            guard let id = ConversationID(statement.view(1)), statement.integer(2) == (peer == nil ? group : direct)
            else { throw StoreError.damaged("conversation row \(statement.integer(0))") }
            found.append((statement.integer(0), ConversationRecord(id: id, kind: kind)))
        }
        return found
    }
}
