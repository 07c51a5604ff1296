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
        try insertion.binding(entry.conversationRow, effective, id, entry.row, sequence, flags).run()
    }

    /// The flags of a row; `nil` if there is no such row.
    func flags(_ id: EventID, effective: UInt64, entry: LogEntry) throws -> Flags? {
        try selection.binding(entry.conversationRow, effective, id).first { Flags(rawValue: $0.integer(0)) }
    }

    /// The position in a row; `nil` if there is no such row.
    func place(_ id: EventID, effective: UInt64, entry: LogEntry) throws -> Place? {
        try selection.binding(entry.conversationRow, effective, id)
            .first { Place(log: $0.integer(1), sequence: $0.bits(2)) }
    }

    func setFlags(_ flags: Flags, of id: EventID, effective: UInt64, entry: LogEntry) throws {
        try update.binding(entry.conversationRow, effective, id, flags).run()
    }

    func delete(_ id: EventID, effective: UInt64, entry: LogEntry) throws {
        try deletion.binding(entry.conversationRow, effective, id).run()
    }
}
