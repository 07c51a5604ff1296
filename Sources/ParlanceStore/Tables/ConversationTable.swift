import GRDB
import ParlanceRecords
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
        try db.prepared("SELECT id FROM conversation WHERE name = ?", id).first { $0.integer(0) }
    }

    /// The row number of a conversation, and whether it is a group.
    static func find(_ id: ConversationID, _ db: Database) throws -> (row: Int64, isGroup: Bool)? {
        try db.prepared("SELECT id, kind FROM conversation WHERE name = ?", id)
            .first { ($0.integer(0), $0.integer(1) == group) }
    }

    /// All conversations with their row numbers, in the order of creation.
    static func all(_ db: Database) throws -> [(row: Int64, record: ConversationRecord)] {
        try db.prepared("SELECT id, name, kind, peer FROM conversation ORDER BY id").map { row in
            let peer = PeerID(row.view(3))
            let kind = peer.map { ConversationRecord.Kind.direct($0) } ?? .group
            guard let id = ConversationID(row.view(1)), row.integer(2) == (peer == nil ? group : direct)
            else { throw StoreError.damaged("conversation row \(row.integer(0))") }
            return (row.integer(0), ConversationRecord(id: id, kind: kind))
        }
    }
}
