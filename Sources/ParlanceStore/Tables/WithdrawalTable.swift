import GRDB

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

    enum State {
        /// The message's text is no longer requested.
        case held
        /// The message is removed.
        case counts
    }

    private let insertion, selection, update: Prepared

    init(_ db: Database) throws {
        insertion = try Prepared(db, "INSERT OR IGNORE INTO withdrawal (log, sequence) VALUES (?, ?)")
        selection = try Prepared(db, "SELECT counts FROM withdrawal WHERE log = ? AND sequence = ?")
        update = try Prepared(db, "UPDATE withdrawal SET counts = 1 WHERE log = ? AND sequence = ?")
    }

    func hold(log: Int64, sequence: UInt64) throws {
        try insertion.binding(log, sequence).run()
    }

    func count(log: Int64, sequence: UInt64) throws {
        try update.binding(log, sequence).run()
    }

    func state(log: Int64, sequence: UInt64) throws -> State? {
        try selection.binding(log, sequence).first { $0.integer(0) == 0 ? .held : .counts }
    }
}
