import GRDB
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

/// Which log waits for which position of another log before its next event can be applied: a projection.
///
/// The other log is named by author and replica, since it may be unknown. A log waits for one position at a time.
struct WaitingTable {
    static let create = """
        CREATE TABLE waiting (
            log INTEGER PRIMARY KEY,
            author BLOB NOT NULL,
            replica BLOB NOT NULL,
            sequence INTEGER NOT NULL
        )
        """

    private let insertion, deletion, selection: Prepared

    init(_ db: Database) throws {
        insertion = try Prepared(db, "INSERT INTO waiting VALUES (?, ?, ?, ?)")
        deletion = try Prepared(db, "DELETE FROM waiting WHERE log = ?")
        selection = try Prepared(
            db,
            """
            SELECT conversation.name, log.author, log.replica, waiting.author, waiting.replica, waiting.sequence
            FROM waiting JOIN log ON log.id = waiting.log JOIN conversation ON conversation.id = log.conversation
            ORDER BY waiting.log
            """
        )
    }

    func insert(log: Int64, awaited: LogID, sequence: UInt64) throws {
        try insertion.binding(log, awaited.author, awaited.replica, sequence).run()
    }

    func delete(log: Int64) throws {
        try deletion.binding(log).run()
    }

    func all() throws -> [Wait] {
        try selection.binding().map { row in
            guard let conversation = ConversationID(row.view(0)), let log = LogID(row, at: 1),
                let awaited = LogID(row, at: 3)
            else { throw StoreError.damaged("waiting row") }
            return Wait(waiter: LogKey(conversation, log), awaited: awaited, sequence: row.bits(5))
        }
    }
}

extension LogID {
    /// Reads author and replica from two adjacent columns of a row.
    init?(_ row: PreparedRow, at column: Int32) {
        guard let author = PeerID(row.view(column)), let replica = ReplicaID(row.view(column + 1)) else { return nil }
        self.init(author: author, replica: replica)
    }
}
