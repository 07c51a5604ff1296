import GRDB
import ParlanceCore
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

    private static let columns = """
        log.id, log.conversation, log.sequence, log.head, log.time, log.signed, log.signed_head, log.applied,
        log.applied_head, log.applied_time, log.applied_effective, log.named, log.shown, log.read, log.unread,
        log.mentions, log.floor, log.cleared
        """

    private let insertion, selection, update: Prepared

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
    }

    func find(_ key: LogKey, conversationRow: Int64, isOwn: Bool, group: GroupState?) throws -> LogEntry? {
        selection.bind(1, conversationRow)
        selection.bind(2, copying: key.log.author.bytes)
        selection.bind(3, copying: key.log.replica.bytes)
        defer { selection.reset() }
        return try selection.next() ? try Self.entry(selection, key: key, isOwn: isOwn, group: group) : nil
    }

    func insert(_ key: LogKey, conversationRow: Int64, read: UInt64) throws {
        insertion.bind(1, conversationRow)
        insertion.bind(2, copying: key.log.author.bytes)
        insertion.bind(3, copying: key.log.replica.bytes)
        insertion.bind(4, bits: read)
        try insertion.run()
    }

    func save(_ entry: LogEntry) throws {
        update.bind(1, entry.row)
        update.bind(2, bits: entry.position.sequence)
        update.bind(3, copying: entry.position.head.bytes)
        update.bind(4, bits: entry.time.raw)
        update.bind(5, bits: entry.signedThrough.sequence)
        update.bind(6, copying: entry.signedThrough.head.bytes)
        update.bind(7, bits: entry.applied.sequence)
        update.bind(8, copying: entry.applied.head.bytes)
        update.bind(9, bits: entry.appliedTime.raw)
        update.bind(10, bits: entry.appliedEffective)
        update.bind(11, bits: entry.namedThrough)
        update.bind(12, Int64(entry.shown))
        update.bind(13, bits: entry.readThrough)
        update.bind(14, Int64(entry.unread))
        update.bind(15, Int64(entry.mentions))
        update.bind(16, bits: entry.floor)
        update.bind(17, bits: entry.cleared)
        try update.run()
    }

    /// The row number of a log; `nil` if it has no row.
    static func row(of log: LogID, conversationRow: Int64, _ db: Database) throws -> Int64? {
        let statement = Prepared(
            try db.cachedStatement(
                sql: "SELECT id FROM log WHERE conversation = ? AND author = ? AND replica = ?"
            )
        )
        statement.bind(1, conversationRow)
        statement.bind(2, copying: log.author.bytes)
        statement.bind(3, copying: log.replica.bytes)
        defer { statement.reset() }
        return try statement.next() ? statement.integer(0) : nil
    }

    /// The conversation and log of a row number.
    static func key(of row: Int64, _ db: Database) throws -> LogKey? {
        let statement = Prepared(
            try db.cachedStatement(
                sql: """
                    SELECT conversation.name, log.author, log.replica
                    FROM log JOIN conversation ON conversation.id = log.conversation WHERE log.id = ?
                    """
            )
        )
        statement.bind(1, row)
        defer { statement.reset() }
        guard try statement.next(), let conversation = ConversationID(statement.view(0)),
            let log = LogID(statement, at: 1)
        else { return nil }
        return LogKey(conversation, log)
    }

    /// The replicas of an author that have logs in a conversation, including names of branches, in the order of their
    /// IDs.
    static func replicas(of author: PeerID, conversationRow: Int64, _ db: Database) throws -> [ReplicaID] {
        let statement = Prepared(
            try db.cachedStatement(
                sql: "SELECT replica FROM log WHERE conversation = ? AND author = ? ORDER BY replica"
            )
        )
        statement.bind(1, conversationRow)
        statement.bind(2, copying: author.bytes)
        defer { statement.reset() }
        var found: [ReplicaID] = []
        while try statement.next() {
            if let replica = ReplicaID(statement.view(0)) { found.append(replica) }
        }
        return found
    }

    /// How far a log is applied, and how far the owner of the store has read it.
    struct ReadMark {
        let row: Int64
        let log: LogID
        let read: UInt64
        let applied: LogPosition
    }

    static func readMarks(_ conversationRow: Int64, _ db: Database) throws -> [ReadMark] {
        let statement = Prepared(
            try db.cachedStatement(
                sql: "SELECT author, replica, id, read, applied, applied_head FROM log WHERE conversation = ?"
            )
        )
        statement.bind(1, conversationRow)
        defer { statement.reset() }
        var found: [ReadMark] = []
        while try statement.next() {
            guard let log = LogID(statement, at: 0), let head = EventID(statement.view(5)) else {
                throw StoreError.damaged("log row \(statement.integer(2))")
            }
            let applied = LogPosition(sequence: statement.bits(4), head: head)
            found.append(ReadMark(row: statement.integer(2), log: log, read: statement.bits(3), applied: applied))
        }
        return found
    }

    /// All logs, in the order in which they were created here.
    static func all(_ db: Database, own identity: PeerID) throws -> [LogEntry] {
        let statement = Prepared(
            try db.cachedStatement(
                sql: """
                    SELECT \(columns), conversation.name, log.author, log.replica
                    FROM log JOIN conversation ON conversation.id = log.conversation ORDER BY log.id
                    """
            )
        )
        defer { statement.reset() }
        var found: [LogEntry] = []
        while try statement.next() {
            guard let conversation = ConversationID(statement.view(18)), let log = LogID(statement, at: 19) else {
                throw StoreError.damaged("log row \(statement.integer(0))")
            }
            let key = LogKey(conversation, log)
            found.append(try entry(statement, key: key, isOwn: log.author == identity, group: nil))
        }
        return found
    }

    private static func entry(_ row: Prepared, key: LogKey, isOwn: Bool, group: GroupState?) throws -> LogEntry {
        guard let head = EventID(row.view(3)), let signedHead = EventID(row.view(6)),
            let appliedHead = EventID(row.view(8))
        else { throw StoreError.damaged("log row \(row.integer(0))") }
        let entry = LogEntry(
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
