import GRDB
import ParlanceCore
import ParlanceWire

/// Everything that is shown, in order: a projection.
///
/// The order within a conversation is (effective time, ID). The text stays only in the event's body, so that one copy
/// has to be dropped. Nearly all rows have no flags: these need no further lookup.
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

    /// What must be known of a row before its event is read.
    struct Flags: OptionSet, Hashable {
        let rawValue: Int64
        /// Not a message, but a line that describes a change of the group.
        static let note = Flags(rawValue: 1)
        /// A deleted message that is shown as a tombstone.
        static let deleted = Flags(rawValue: 2)
        /// The table `about` has entries that count for it.
        static let about = Flags(rawValue: 4)
        /// Its present text mentions the owner of this store.
        static let mention = Flags(rawValue: 8)
        /// The line that shows a fork. Its ID is not the ID of the event at its position.
        static let fork = Flags(rawValue: 16)
        /// It names files, which `file_mention` has.
        static let files = Flags(rawValue: 32)
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

    /// The flags of a row; `nil` if there is no such row.
    func flags(_ id: EventID, effective: UInt64, entry: LogEntry) throws -> Flags? {
        bind(selection, id, effective, entry)
        defer { selection.reset() }
        return try selection.next() ? Flags(rawValue: selection.integer(0)) : nil
    }

    /// The position in a row; `nil` if there is no such row.
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
