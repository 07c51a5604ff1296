import GRDB
package import ParlanceCore
import ParlanceWire

// What the engine reads.
extension Store {
    /// All that the engine keeps in memory, read without looking at a single log.
    package func snapshot() throws(StoreError) -> EngineSnapshot {
        let identity = identity
        return try read { db in
            guard let meta = try MetaTable.read(db) else { throw StoreError.damaged("meta row") }
            var snapshot = EngineSnapshot(profile: meta.profile)
            snapshot.conversations = try ConversationTable.all(db).map(\.record)
            let missing = try MissingTable.all(db)
            snapshot.logs = try LogTable.all(db, own: identity).map { entry in
                LogRecord(
                    conversation: entry.key.conversation,
                    log: entry.key.log,
                    position: entry.position,
                    time: entry.time,
                    signedThrough: entry.signedThrough,
                    applied: entry.applied,
                    namedThrough: entry.namedThrough,
                    missingBodies: missing[entry.row] ?? []
                )
            }
            snapshot.membership = try MembershipTable.all(db)
            for (row, record) in try ConversationTable.all(db) where record.kind == .group {
                snapshot.labels.append(try LabelTable.label(of: record.id, row, db))
            }
            snapshot.recipients = try RecipientTable.all(db)
            snapshot.peers = try PeerTable.all(db)
            snapshot.watermarks = try WatermarkTable.all(db)
            return snapshot
        }
    }

    /// Consecutive events of a log from `from` on; none if the log has none there.
    package func events(_ request: ReadRequest) throws(StoreError) -> [StoredEvent] {
        guard request.from <= UInt64(Int64.max) else { return [] }
        // One statement sees one state by itself, so it needs no transaction around it.
        return try StoreError.catching {
            try pool.unsafeRead { db in
                let statement = Prepared(try db.cachedStatement(sql: Self.eventsSQL))
                statement.bind(1, copying: request.conversation.bytes)
                statement.bind(2, copying: request.log.author.bytes)
                statement.bind(3, copying: request.log.replica.bytes)
                statement.bind(4, Int64(clamping: request.from))
                statement.bind(5, Int64(clamping: request.through))
                defer { statement.reset() }
                return try Self.take(statement, byteLimit: request.byteLimit)
            }
        }
    }

    private static let eventsSQL = """
        SELECT id, header, body, signature FROM event
        WHERE log = (
            SELECT log.id FROM log JOIN conversation ON conversation.id = log.conversation
            WHERE conversation.name = ? AND log.author = ? AND log.replica = ?
        ) AND sequence BETWEEN ? AND ? ORDER BY sequence
        """

    private static func take(_ rows: Prepared, byteLimit: Int) throws -> [StoredEvent] {
        var events: [StoredEvent] = []
        var room = byteLimit
        while try rows.next() {
            let size = rows.view(1).count + rows.view(2).count
            guard size <= room || events.isEmpty else { break }
            events.append(try EventTable.event(rows))
            room -= min(size, room)
        }
        return events
    }
}
