import GRDB
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

/// A row for each log, with everything that the engine keeps of it, so that a start reads no events.
///
/// `applied...`, `shown`, `unread` and `mentions` are projections; `read` repeats our own read watermark.
struct LogTable {
    static let create = """
        CREATE TABLE log (
            id INTEGER PRIMARY KEY,
            conversation INTEGER NOT NULL REFERENCES conversation (id),
            author BLOB NOT NULL,
            replica BLOB NOT NULL,
            sequence INTEGER NOT NULL DEFAULT 0,
            head BLOB NOT NULL,
            time INTEGER NOT NULL DEFAULT 0,
            signed INTEGER NOT NULL DEFAULT 0,
            signed_head BLOB NOT NULL,
            applied INTEGER NOT NULL DEFAULT 0,
            applied_head BLOB NOT NULL,
            applied_time INTEGER NOT NULL DEFAULT 0,
            applied_effective INTEGER NOT NULL DEFAULT 0,
            named INTEGER NOT NULL DEFAULT 0,
            shown INTEGER NOT NULL DEFAULT 0,
            read INTEGER NOT NULL DEFAULT 0,
            unread INTEGER NOT NULL DEFAULT 0,
            UNIQUE (conversation, author, replica)
        )
        """

    /// Added in version 24: the greatest `event.written` that an event got when it was written into the log; 0 if none was.
    static let addWritten = [
        "ALTER TABLE log ADD COLUMN written INTEGER NOT NULL DEFAULT 0",
        """
        UPDATE log SET written = own.last
        FROM (SELECT log, max(written) AS last FROM event WHERE written IS NOT NULL GROUP BY log) AS own
        WHERE own.log = log.id
        """,
        "DROP INDEX IF EXISTS event_written",
    ]

    private static let columns = """
        log.id, log.conversation, log.sequence, log.head, log.time, log.signed, log.signed_head, log.applied,
        log.applied_head, log.applied_time, log.applied_effective, log.named, log.shown, log.read, log.unread,
        log.mentions, log.floor, log.cleared
        """

    private let insertion, selection, update, writing: Prepared

    init(_ db: Database) throws {
        insertion = try Prepared(
            db,
            """
            INSERT INTO log (conversation, author, replica, head, signed_head, applied_head, read)
            VALUES (?1, ?2, ?3, zeroblob(32), zeroblob(32), zeroblob(32), ?4)
            """
        )
        selection = try Prepared(
            db,
            "SELECT \(Self.columns) FROM log WHERE conversation = ? AND author = ? AND replica = ?"
        )
        update = try Prepared(
            db,
            """
            UPDATE log SET sequence = ?2, head = ?3, time = ?4, signed = ?5, signed_head = ?6, applied = ?7,
            applied_head = ?8, applied_time = ?9, applied_effective = ?10, named = ?11, shown = ?12, read = ?13,
            unread = ?14, mentions = ?15, floor = ?16, cleared = ?17 WHERE id = ?1
            """
        )
        writing = try Prepared(db, "UPDATE log SET written = ?2 WHERE id = ?1")
    }

    func find(_ key: LogKey, conversationRow: Int64, isOwn: Bool, group: GroupState?) throws -> LogProgress? {
        try selection.binding(conversationRow, key.log.author, key.log.replica)
            .first { try Self.entry($0, key: key, isOwn: isOwn, group: group) }
    }

    func insert(_ key: LogKey, conversationRow: Int64, read: UInt64) throws {
        try insertion.binding(conversationRow, key.log.author, key.log.replica, read).run()
    }

    func save(_ entry: LogProgress) throws {
        try update.binding(
            entry.row,
            entry.position.sequence,
            entry.position.head,
            entry.time.raw,
            entry.signedThrough.sequence,
            entry.signedThrough.head,
            entry.applied.sequence,
            entry.applied.head,
            entry.appliedTime.raw,
            entry.appliedEffective,
            entry.namedThrough,
            entry.shown,
            entry.readThrough,
            entry.unread,
            entry.mentions,
            entry.floor,
            entry.cleared
        )
        .run()
    }

    /// Keeps the order of the last message that the owner wrote into a log. Its row is written with each message anyway.
    func setWritten(_ written: Int64, row: Int64) throws { try writing.binding(row, written).run() }

    /// The order of the last message that the owner wrote here, in whatever log; 0 if there is none.
    static func lastWritten(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT max(written) FROM log") ?? 0
    }

    /// The row number of a log; `nil` if it has no row.
    static func row(of log: LogID, conversationRow: Int64, _ db: Database) throws -> Int64? {
        let sql = "SELECT id FROM log WHERE conversation = ? AND author = ? AND replica = ?"
        return try db.prepared(sql, conversationRow, log.author, log.replica).first { $0.integer(0) }
    }

    /// The conversation and log of a row number.
    static func key(of row: Int64, _ db: Database) throws -> LogKey? {
        let sql = """
            SELECT conversation.name, log.author, log.replica
            FROM log JOIN conversation ON conversation.id = log.conversation WHERE log.id = ?
            """
        return try db.prepared(sql, row).first { row in
            guard let conversation = ConversationID(row.view(0)), let log = LogID(row, at: 1) else { return nil }
            return LogKey(conversation, log)
        }
    }

    /// The replicas of an author that have logs in a conversation, including names of branches, in the order of their
    /// IDs.
    static func replicas(of author: PeerID, conversationRow: Int64, _ db: Database) throws -> [ReplicaID] {
        let sql = "SELECT replica FROM log WHERE conversation = ? AND author = ? ORDER BY replica"
        return try db.prepared(sql, conversationRow, author).map { ReplicaID($0.view(0)) }.compactMap { $0 }
    }

    /// The logs of one conversation, or all, in the order in which they were created here.
    static func keys(conversationRow: Int64?, _ db: Database) throws -> [LogKey] {
        let all = """
            SELECT conversation.name, log.author, log.replica
            FROM log JOIN conversation ON conversation.id = log.conversation
            """
        let rows =
            try conversationRow.map { try db.prepared("\(all) WHERE log.conversation = ? ORDER BY log.id", $0) }
            ?? db.prepared("\(all) ORDER BY log.id")
        return try rows.map { row in
            guard let conversation = ConversationID(row.view(0)), let log = LogID(row, at: 1) else {
                throw StoreError.damaged("log row")
            }
            return LogKey(conversation, log)
        }
    }

    /// The logs of a conversation that hold events which are not applied, in the order of creation.
    static func waiting(conversationRow: Int64, _ db: Database) throws -> [WaitingLog] {
        let sql = """
            SELECT id, author, replica, sequence, applied, cleared FROM log
            WHERE conversation = ? AND applied < sequence ORDER BY id
            """
        return try db.prepared(sql, conversationRow).map { row in
            guard let log = LogID(row, at: 1) else { throw StoreError.damaged("log row") }
            return WaitingLog(
                row: row.integer(0),
                log: log,
                through: row.bits(3),
                applied: row.bits(4),
                cleared: row.bits(5)
            )
        }
    }

    /// How far a log is applied, and how far the owner of the store has read it.
    struct ReadMark {
        let row: Int64
        let log: LogID
        let read: UInt64
        let applied: LogPosition
    }

    static func readMarks(_ conversationRow: Int64, _ db: Database) throws -> [ReadMark] {
        let sql = "SELECT author, replica, id, read, applied, applied_head FROM log WHERE conversation = ?"
        return try db.prepared(sql, conversationRow).map { row in
            guard let log = LogID(row, at: 0), let head = EventID(row.view(5)) else {
                throw StoreError.damaged("log row \(row.integer(2))")
            }
            let applied = LogPosition(sequence: row.bits(4), head: head)
            return ReadMark(row: row.integer(2), log: log, read: row.bits(3), applied: applied)
        }
    }

    /// All logs, in the order in which they were created here.
    static func all(_ db: Database, own identity: PeerID) throws -> [LogProgress] {
        let sql = """
            SELECT \(columns), conversation.name, log.author, log.replica
            FROM log JOIN conversation ON conversation.id = log.conversation ORDER BY log.id
            """
        return try db.prepared(sql).map { row in
            guard let conversation = ConversationID(row.view(18)), let log = LogID(row, at: 19) else {
                throw StoreError.damaged("log row \(row.integer(0))")
            }
            return try entry(row, key: LogKey(conversation, log), isOwn: log.author == identity, group: nil)
        }
    }

    private static func entry(_ row: PreparedRow, key: LogKey, isOwn: Bool, group: GroupState?) throws -> LogProgress {
        guard let head = EventID(row.view(3)), let signedHead = EventID(row.view(6)),
            let appliedHead = EventID(row.view(8))
        else { throw StoreError.damaged("log row \(row.integer(0))") }
        let entry = LogProgress(
            row: row.integer(0),
            conversationRow: row.integer(1),
            key: key,
            isOwn: isOwn,
            group: group
        )
        entry.position = LogPosition(sequence: row.bits(2), head: head)
        entry.time = EventTime(raw: row.bits(4))
        entry.signedThrough = LogPosition(sequence: row.bits(5), head: signedHead)
        entry.applied = LogPosition(sequence: row.bits(7), head: appliedHead)
        entry.appliedTime = EventTime(raw: row.bits(9))
        entry.appliedEffective = row.bits(10)
        entry.namedThrough = row.bits(11)
        entry.shown = Int(row.integer(12))
        entry.readThrough = row.bits(13)
        entry.unread = Int(row.integer(14))
        entry.mentions = Int(row.integer(15))
        entry.floor = row.bits(16)
        entry.cleared = row.bits(17)
        return entry
    }
}
