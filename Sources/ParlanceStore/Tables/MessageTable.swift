import GRDB
import ParlanceCore
import ParlanceWire

/// What people see, in the order they see it: a projection.
///
/// The order key is (effective time, ID) within a conversation. The text stays in the event's body, so that there is one
/// copy of it to drop. Nearly all rows have no flags: of those nothing else has to be looked up.
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

    /// What has to be known of a row before its event is read.
    struct Flags: OptionSet, Hashable {
        let rawValue: Int64
        /// No message, but a line that says how the group changed.
        static let note = Flags(rawValue: 1)
        /// A message of which only a tombstone is left.
        static let deleted = Flags(rawValue: 2)
        /// The table `about` has something on it.
        static let about = Flags(rawValue: 4)
        /// Its present text mentions the owner of this store.
        static let mention = Flags(rawValue: 8)
        /// The line that says that a log is forked: its ID is not that of the event that stands at its place.
        static let fork = Flags(rawValue: 16)
    }

    private let insertion, deletion, selection, update: Prepared

    init(_ db: Database) throws {
        let key = "conversation = ?1 AND effective = ?2 AND id = ?3"
        insertion = try Prepared(db, "INSERT INTO message VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
        deletion = try Prepared(db, "DELETE FROM message WHERE \(key)")
        selection = try Prepared(db, "SELECT flags, log, sequence FROM message WHERE \(key)")
        update = try Prepared(db, "UPDATE message SET flags = ?4 WHERE \(key)")
    }

    func insert(_ id: EventID, effective: UInt64, entry: LogEntry, sequence: UInt64, flags: Flags) throws {
        insertion.bind(1, entry.conversationRow)
        insertion.bind(2, bits: effective)
        insertion.bind(4, entry.row)
        insertion.bind(5, bits: sequence)
        insertion.bind(6, flags.rawValue)
        let outcome = id.value.withUnsafeBytes { bytes in
            insertion.lend(3, bytes)
            return Result { try insertion.run() }
        }
        try outcome.get()
    }

    /// The flags of a row; `nil` if it is not there.
    func flags(_ id: EventID, effective: UInt64, entry: LogEntry) throws -> Flags? {
        bind(selection, id, effective, entry)
        defer { selection.reset() }
        return try selection.next() ? Flags(rawValue: selection.integer(0)) : nil
    }

    /// The place that a row names; `nil` if it is not there.
    func place(_ id: EventID, effective: UInt64, entry: LogEntry) throws -> Place? {
        bind(selection, id, effective, entry)
        defer { selection.reset() }
        return try selection.next() ? Place(log: selection.integer(1), sequence: selection.bits(2)) : nil
    }

    func setFlags(_ flags: Flags, of id: EventID, effective: UInt64, entry: LogEntry) throws {
        bind(update, id, effective, entry)
        update.bind(4, flags.rawValue)
        try update.run()
    }

    func delete(_ id: EventID, effective: UInt64, entry: LogEntry) throws {
        bind(deletion, id, effective, entry)
        try deletion.run()
    }

    private func bind(_ statement: Prepared, _ id: EventID, _ effective: UInt64, _ entry: LogEntry) {
        statement.bind(1, entry.conversationRow)
        statement.bind(2, bits: effective)
        statement.bind(3, copying: id.bytes)
    }
}
