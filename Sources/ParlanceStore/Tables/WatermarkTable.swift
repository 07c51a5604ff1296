import GRDB
import ParlanceCore
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
        let statement = Prepared(
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO watermark VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        )
        statement.bind(1, conversationRow)
        statement.bind(2, copying: record.key.member.bytes)
        statement.bind(3, copying: record.key.replica.bytes)
        statement.bind(4, copying: record.key.log.author.bytes)
        statement.bind(5, copying: record.key.log.replica.bytes)
        statement.bind(6, Int64(record.key.level.rawValue))
        statement.bind(7, bits: record.position.sequence)
        statement.bind(8, copying: record.position.head.bytes)
        if let signature = record.signature {
            statement.bind(9, copying: signature)
        } else {
            statement.bindNull(9)
        }
        statement.bind(10, record.learnt)
        if let via = record.via { statement.bind(11, copying: via.bytes) } else { statement.bindNull(11) }
        try statement.run()
    }

    private static func delete(_ key: WatermarkRecord.Key, _ conversationRow: Int64, _ db: Database) throws {
        let statement = Prepared(
            try db.cachedStatement(
                sql: """
                    DELETE FROM watermark WHERE conversation = ? AND member = ? AND member_replica = ? AND author = ?
                        AND replica = ? AND level = ?
                    """
            )
        )
        statement.bind(1, conversationRow)
        statement.bind(2, copying: key.member.bytes)
        statement.bind(3, copying: key.replica.bytes)
        statement.bind(4, copying: key.log.author.bytes)
        statement.bind(5, copying: key.log.replica.bytes)
        statement.bind(6, Int64(key.level.rawValue))
        try statement.run()
    }

    /// How far any replica of a member has read a log; 0 if unknown.
    static func readThrough(_ log: LogID, member: PeerID, conversationRow: Int64, _ db: Database) throws -> UInt64 {
        let statement = Prepared(
            try db.cachedStatement(
                sql: """
                    SELECT sequence FROM watermark
                    WHERE conversation = ? AND member = ? AND author = ? AND replica = ? AND level = ?
                    """
            )
        )
        statement.bind(1, conversationRow)
        statement.bind(2, copying: member.bytes)
        statement.bind(3, copying: log.author.bytes)
        statement.bind(4, copying: log.replica.bytes)
        statement.bind(5, Int64(WatermarkLevel.read.rawValue))
        defer { statement.reset() }
        var furthest: UInt64 = 0
        while try statement.next() { furthest = max(furthest, statement.bits(0)) }
        return furthest
    }

    static func all(_ db: Database) throws -> [WatermarkRecord] {
        let statement = Prepared(
            try db.cachedStatement(
                sql: """
                    SELECT conversation.name, member, member_replica, author, replica, level, sequence, head, signature,
                        learnt, via
                    FROM watermark JOIN conversation ON conversation.id = watermark.conversation
                    ORDER BY conversation, member, member_replica, author, replica, level
                    """
            )
        )
        defer { statement.reset() }
        var found: [WatermarkRecord] = []
        while try statement.next() { found.append(try record(statement)) }
        return found
    }

    private static func record(_ row: Prepared) throws -> WatermarkRecord {
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
