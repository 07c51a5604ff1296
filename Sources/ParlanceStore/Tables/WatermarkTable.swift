import GRDB
import ParlanceRecords
import ParlanceWire

/// How far each member has received or read each log, with the signature if a member signed that.
///
/// The log is named by author and replica: a watermark may arrive before any event of its log.
enum WatermarkTable {
    static let create = """
        CREATE TABLE watermark (
            conversation INTEGER NOT NULL REFERENCES conversation (id),
            member BLOB NOT NULL,
            member_replica BLOB NOT NULL,
            author BLOB NOT NULL,
            replica BLOB NOT NULL,
            level INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            head BLOB NOT NULL,
            signature BLOB,
            PRIMARY KEY (conversation, member, member_replica, author, replica, level)
        ) WITHOUT ROWID
        """

    /// Inserts or replaces a mark. A position at the start of the log deletes the row.
    static func save(_ record: WatermarkRecord, conversationRow: Int64, _ db: Database) throws {
        guard record.position.sequence > 0 else { return try delete(record.key, conversationRow, db) }
        try db.prepared(
            "INSERT OR REPLACE INTO watermark VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            conversationRow,
            record.key.member,
            record.key.replica,
            record.key.log.author,
            record.key.log.replica,
            record.key.level.rawValue,
            record.position.sequence,
            record.position.head,
            record.signature,
            record.learnt,
            record.via
        )
        .run()
    }

    private static func delete(_ key: WatermarkRecord.Key, _ conversationRow: Int64, _ db: Database) throws {
        let sql = """
            DELETE FROM watermark WHERE conversation = ? AND member = ? AND member_replica = ? AND author = ?
                AND replica = ? AND level = ?
            """
        let (log, level) = (key.log, key.level.rawValue)
        try db.prepared(sql, conversationRow, key.member, key.replica, log.author, log.replica, level).run()
    }

    /// How far any replica of a member has read a log; 0 if unknown.
    static func readThrough(_ log: LogID, member: PeerID, conversationRow: Int64, _ db: Database) throws -> UInt64 {
        let sql = """
            SELECT sequence FROM watermark
            WHERE conversation = ? AND member = ? AND author = ? AND replica = ? AND level = ?
            """
        let level = WatermarkLevel.read.rawValue
        let reads = try db.prepared(sql, conversationRow, member, log.author, log.replica, level).map { $0.bits(0) }
        return reads.max() ?? 0
    }

    static func all(_ db: Database) throws -> [WatermarkRecord] {
        let sql = """
            SELECT conversation.name, member, member_replica, author, replica, level, sequence, head, signature,
                learnt, via
            FROM watermark JOIN conversation ON conversation.id = watermark.conversation
            ORDER BY conversation, member, member_replica, author, replica, level
            """
        return try db.prepared(sql).map(record)
    }

    private static func record(_ row: PreparedRow) throws -> WatermarkRecord {
        guard let conversation = ConversationID(row.view(0)), let member = LogID(row, at: 1),
            let log = LogID(row, at: 3), let level = WatermarkLevel(rawValue: Int(row.integer(5))),
            let head = EventID(row.view(7))
        else { throw StoreError.damaged("watermark row") }
        let key = WatermarkRecord.Key(
            conversation: conversation,
            member: member.author,
            replica: member.replica,
            log: log,
            level: level
        )
        let position = LogPosition(sequence: row.bits(6), head: head)
        var record = WatermarkRecord(key: key, position: position, signature: row.bytesIfAny(8), learnt: row.integer(9))
        record.via = PeerID(row.view(10))
        return record
    }
}
