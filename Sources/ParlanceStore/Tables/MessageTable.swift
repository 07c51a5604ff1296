import GRDB
import ParlanceCore
import ParlanceWire

/// What people see, in the order they see it: a projection.
///
/// The order key is (effective time, ID) within a conversation. The text stays in the event's body, so that there is one
/// copy of it to drop.
struct MessageTable {
    static let create = """
        CREATE TABLE message (
            conversation INTEGER NOT NULL,
            effective INTEGER NOT NULL,
            id BLOB NOT NULL,
            log INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            PRIMARY KEY (conversation, effective, id)
        ) WITHOUT ROWID
        """

    private let insertion, deletion: Prepared

    init(_ db: Database) throws {
        insertion = try Prepared(db, "INSERT INTO message VALUES (?, ?, ?, ?, ?)")
        deletion = try Prepared(db, "DELETE FROM message WHERE conversation = ? AND effective = ? AND id = ?")
    }

    func insert(_ id: EventID, effective: UInt64, entry: LogEntry, sequence: UInt64) throws {
        insertion.bind(1, entry.conversationRow)
        insertion.bind(2, bits: effective)
        insertion.bind(4, entry.row)
        insertion.bind(5, bits: sequence)
        let outcome = id.value.withUnsafeBytes { bytes in
            insertion.lend(3, bytes)
            return Result { try insertion.run() }
        }
        try outcome.get()
    }

    /// - Returns: whether it was there.
    func delete(_ id: EventID, effective: UInt64, entry: LogEntry) throws -> Bool {
        deletion.bind(1, entry.conversationRow)
        deletion.bind(2, bits: effective)
        deletion.bind(3, copying: id.bytes)
        try deletion.run()
        return deletion.changes > 0
    }
}
