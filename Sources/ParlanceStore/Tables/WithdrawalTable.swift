import GRDB
import ParlanceHistory

/// The messages that held withdrawals name, and whether such a withdrawal is applied and counts: a projection.
struct WithdrawalTable {
    static let create = """
        CREATE TABLE withdrawal (
            log INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            counts INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (log, sequence)
        ) WITHOUT ROWID
        """

    private let insertion, selection, update: Prepared

    init(_ db: Database) throws {
        insertion = try Prepared(db, "INSERT OR IGNORE INTO withdrawal (log, sequence) VALUES (?, ?)")
        selection = try Prepared(db, Self.finding)
        update = try Prepared(db, "UPDATE withdrawal SET counts = 1 WHERE log = ? AND sequence = ?")
    }

    func hold(log: Int64, sequence: UInt64) throws {
        try insertion.binding(log, sequence).run()
    }

    func count(log: Int64, sequence: UInt64) throws {
        try update.binding(log, sequence).run()
    }

    func state(log: Int64, sequence: UInt64) throws -> Withdrawal? {
        try selection.binding(log, sequence).first(Self.state)
    }

    /// The same for readers.
    static func state(log: Int64, sequence: UInt64, _ db: Database) throws -> Withdrawal? {
        try db.prepared(finding, log, sequence).first(state)
    }

    private static let finding = "SELECT counts FROM withdrawal WHERE log = ? AND sequence = ?"

    private static func state(_ row: PreparedRow) -> Withdrawal? { row.integer(0) == 0 ? .held : .counts }
}
