import GRDB
import ParlanceWire

/// Messages and edits held without a body, unless something held has removed them. The clock tells of these gaps.
///
/// An edit of a removed message is excused but stays here, since that may change.
struct MissingTable {
    static let create = """
        CREATE TABLE missing (
            log INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            PRIMARY KEY (log, sequence)
        ) WITHOUT ROWID
        """

    /// An edit that is held without a body.
    struct Edit {
        let log: Int64
        let sequence: UInt64
        let isExcused: Bool
    }

    private let insertion, deletion, excusing, selection, ofTarget, ofLog: Prepared

    init(_ db: Database) throws {
        insertion = try Prepared(db, "INSERT OR IGNORE INTO missing VALUES (?, ?, ?, ?)")
        deletion = try Prepared(db, "DELETE FROM missing WHERE log = ? AND sequence = ?")
        excusing = try Prepared(db, "UPDATE missing SET excused = ?3 WHERE log = ?1 AND sequence = ?2")
        selection = try Prepared(db, "SELECT 1 FROM missing WHERE log = ? AND sequence = ? AND excused = 0")
        ofTarget = try Prepared(db, "SELECT log, sequence, excused FROM missing WHERE target = ?")
        ofLog = try Prepared(db, "SELECT sequence FROM missing WHERE log = ? AND excused = 0 ORDER BY sequence")
    }

    /// - Parameter target: the message that an edit is about; `nil` for a message.
    func insert(log: Int64, sequence: UInt64, target: EventID?, isExcused: Bool) throws {
        insertion.bind(1, log)
        insertion.bind(2, bits: sequence)
        if let target { insertion.bind(3, copying: target.bytes) } else { insertion.bindNull(3) }
        insertion.bind(4, isExcused ? 1 : 0)
        try insertion.run()
    }

    func delete(log: Int64, sequence: UInt64) throws {
        deletion.bind(1, log)
        deletion.bind(2, bits: sequence)
        try deletion.run()
    }

    func setExcused(_ isExcused: Bool, log: Int64, sequence: UInt64) throws {
        excusing.bind(1, log)
        excusing.bind(2, bits: sequence)
        excusing.bind(3, isExcused ? 1 : 0)
        try excusing.run()
    }

    /// Whether the body at a position is missing.
    func contains(log: Int64, sequence: UInt64) throws -> Bool {
        selection.bind(1, log)
        selection.bind(2, bits: sequence)
        defer { selection.reset() }
        return try selection.next()
    }

    /// The edits without a body of a message.
    func edits(of target: EventID) throws -> [Edit] {
        ofTarget.bind(1, copying: target.bytes)
        defer { ofTarget.reset() }
        var found: [Edit] = []
        while try ofTarget.next() {
            let edit = Edit(
                log: ofTarget.integer(0),
                sequence: ofTarget.bits(1),
                isExcused: ofTarget.integer(2) != 0
            )
            found.append(edit)
        }
        return found
    }

    /// The sequences of missing bodies in a log, ascending.
    func sequences(log: Int64) throws -> [UInt64] {
        ofLog.bind(1, log)
        defer { ofLog.reset() }
        var found: [UInt64] = []
        while try ofLog.next() { found.append(ofLog.bits(0)) }
        return found
    }

    /// The sequences of missing bodies, ascending, for each log that has any.
    static func all(_ db: Database) throws -> [Int64: [UInt64]] {
        let statement = Prepared(
            try db.cachedStatement(sql: "SELECT log, sequence FROM missing WHERE excused = 0 ORDER BY log, sequence")
        )
        defer { statement.reset() }
        var found: [Int64: [UInt64]] = [:]
        while try statement.next() { found[statement.integer(0), default: []].append(statement.bits(1)) }
        return found
    }
}
