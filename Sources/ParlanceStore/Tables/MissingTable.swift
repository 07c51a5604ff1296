import GRDB
import ParlanceHistory
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
        try insertion.binding(log, sequence, target, isExcused).run()
    }

    func delete(log: Int64, sequence: UInt64) throws {
        try deletion.binding(log, sequence).run()
    }

    func setExcused(_ isExcused: Bool, log: Int64, sequence: UInt64) throws {
        try excusing.binding(log, sequence, isExcused).run()
    }

    /// Whether the body at a position is missing.
    func contains(log: Int64, sequence: UInt64) throws -> Bool {
        try selection.binding(log, sequence).exists()
    }

    /// The edits without a body of a message.
    func edits(of target: EventID) throws -> [MissingEdit] {
        try ofTarget.binding(target)
            .map { MissingEdit(log: $0.integer(0), sequence: $0.bits(1), isExcused: $0.integer(2) != 0) }
    }

    /// The sequences of missing bodies in a log, ascending.
    func sequences(log: Int64) throws -> [UInt64] {
        try ofLog.binding(log).map { $0.bits(0) }
    }

    /// The sequences of missing bodies, ascending, for each log that has any.
    static func all(_ db: Database) throws -> [Int64: [UInt64]] {
        var found: [Int64: [UInt64]] = [:]
        try db.prepared("SELECT log, sequence FROM missing WHERE excused = 0 ORDER BY log, sequence")
            .each { found[$0.integer(0), default: []].append($0.bits(1)) }
        return found
    }
}
