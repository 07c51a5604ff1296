import GRDB
import ParlanceCore
import ParlanceHistory
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

    private let insertion, deletion, selection, update: Prepared

    init(_ db: Database) throws {
        let key = "conversation = ?1 AND effective = ?2 AND id = ?3"
        insertion = try Prepared(db, "INSERT INTO message VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
        deletion = try Prepared(db, "DELETE FROM message WHERE \(key)")
        selection = try Prepared(db, Self.finding)
        update = try Prepared(db, "UPDATE message SET flags = ?4 WHERE \(key)")
    }

    func insert(_ id: EventID, effective: UInt64, entry: LogProgress, sequence: UInt64, flags: LineFlags) throws {
        try insertion.binding(entry.conversationRow, effective, id, entry.row, sequence, flags).run()
    }

    private static let finding =
        "SELECT flags, log, sequence FROM message WHERE conversation = ?1 AND effective = ?2 AND id = ?3"

    /// The flags of a row; `nil` if there is no such row.
    func flags(_ id: EventID, effective: UInt64, conversationRow: Int64) throws -> LineFlags? {
        try selection.binding(conversationRow, effective, id).first { LineFlags(rawValue: $0.integer(0)) }
    }

    /// The same for readers.
    static func flags(_ id: EventID, effective: UInt64, conversationRow: Int64, _ db: Database) throws -> LineFlags? {
        try db.prepared(finding, conversationRow, effective, id).first { LineFlags(rawValue: $0.integer(0)) }
    }

    /// The position in a row; `nil` if there is no such row.
    func place(_ id: EventID, effective: UInt64, conversationRow: Int64) throws -> Place? {
        try selection.binding(conversationRow, effective, id)
            .first { Place(log: $0.integer(1), sequence: $0.bits(2)) }
    }

    /// Everything shown of a conversation, in the order shown.
    static func lines(conversationRow: Int64, _ db: Database) throws -> [Line] {
        let sql = """
            SELECT event.id, event.header, event.body, event.signature, event.arrived, message.effective, message.flags,
            message.log, message.id FROM message CROSS JOIN event
            ON event.log = message.log AND event.sequence = message.sequence
            WHERE message.conversation = ? ORDER BY message.effective, message.id
            """
        return try db.prepared(sql, conversationRow).map { row in
            guard let id = EventID(row.view(8)) else { throw StoreError.damaged("message row") }
            return Line(
                id: id,
                event: try EventTable.event(row),
                effective: row.bits(5),
                flags: LineFlags(rawValue: row.integer(6)),
                log: row.integer(7)
            )
        }
    }

    /// The messages of a log beyond its read mark, usually none, and those among them that mention the owner.
    static func unread(in entry: LogProgress, _ db: Database) throws -> (count: Int, mentions: Int) {
        let sql = """
            SELECT count(*), total(message.flags & ?4 != 0) FROM event JOIN message
            ON message.conversation = ?1 AND message.effective = event.effective AND message.id = event.id
            WHERE event.log = ?2 AND event.sequence > ?3 AND message.flags & ?5 = 0
            """
        let hidden: LineFlags = [.note, .deleted]
        return try db.prepared(sql, entry.conversationRow, entry.row, entry.readThrough, LineFlags.mention, hidden)
            .first { (Int($0.integer(0)), Int($0.integer(1))) } ?? (0, 0)
    }

    func setFlags(_ flags: LineFlags, of id: EventID, effective: UInt64, entry: LogProgress) throws {
        try update.binding(entry.conversationRow, effective, id, flags).run()
    }

    func delete(_ id: EventID, effective: UInt64, entry: LogProgress) throws {
        try deletion.binding(entry.conversationRow, effective, id).run()
    }
}
