import GRDB
package import ParlanceCore
import ParlanceHistory
package import ParlanceRecords
package import ParlanceWire

// Reading for the engine.
extension Store {
    /// Everything that the engine keeps in memory. Of events that is only the membership events.
    package func snapshot() throws(StoreError) -> EngineSnapshot {
        let identity = identity
        return try read { db in
            guard let meta = try MetaTable.read(db) else { throw StoreError.damaged("meta row") }
            var snapshot = EngineSnapshot(profile: meta.profile)
            snapshot.workspace = try WorkspaceTable.read(db)
            snapshot.ownPicture = try PictureTable.picture(of: identity, db)
            snapshot.pictures = try PictureTable.marks(db).filter { $0.peer != identity }
            snapshot.prekeys = try PrekeyTable.all(db)
            snapshot.ran = try MetaTable.ran(db)
            snapshot.envelopes = try EnvelopeTable.all(db)
            snapshot.conversations = try ConversationTable.all(db).map(\.record)
            let missing = try MissingTable.all(db)
            // A log without events has a row only because something refers to it.
            let logs = try LogTable.all(db, own: identity).filter { $0.position.sequence > 0 }
            snapshot.branches = try BranchTable.all(db)
            snapshot.logs = logs.map { entry in
                LogRecord(
                    conversation: entry.key.conversation,
                    log: entry.key.log,
                    position: entry.position,
                    time: entry.time,
                    signedThrough: entry.signedThrough,
                    applied: entry.applied,
                    namedThrough: entry.namedThrough,
                    missingBodies: missing[entry.row] ?? [],
                    floor: entry.floor,
                    cleared: entry.cleared
                )
            }
            snapshot.membership = try MembershipTable.all(db)
            var applied: Set<EventID> = []
            for (row, record) in try ConversationTable.all(db) where record.kind == .group {
                applied.formUnion(try MembershipTable.applied(conversationRow: row, db))
                snapshot.labels.append(try ReaderTables(db).label(of: record.id, row))
            }
            snapshot.appliedChanges = applied.sorted()
            let limited = try LifetimeTable.conversations(db)
            snapshot.lifetimes = try ConversationTable.all(db).filter { limited.contains($0.row) }
                .map { try ReaderTables(db).lifetime(of: $0.record.id, $0.row) }
                .sorted { $0.conversation < $1.conversation }
            snapshot.recipients = try RecipientTable.all(db)
            snapshot.peers = try PeerTable.all(db)
            snapshot.watermarks = try WatermarkTable.all(db)
            snapshot.preferences = try PreferenceTable.all(db)
            snapshot.transfers = try TransferTable.all(db)
            snapshot.offers = try Self.offers(not: identity, limit: Limits.offersAtStart, db)
            return snapshot
        }
    }

    /// Consecutive events of a log, starting at `from`; empty if the log has no event there.
    package func events(_ request: ReadRequest) throws(StoreError) -> [StoredEvent] {
        guard request.from <= UInt64(Int64.max) else { return [] }
        // One statement sees one state of the store, so no transaction is necessary.
        return try readMending {
            try pool.unsafeRead { db in
                let rows = try db.prepared(
                    Self.eventsSQL,
                    request.conversation,
                    request.log.author,
                    request.log.replica,
                    Int64(clamping: request.from),
                    Int64(clamping: request.through)
                )
                return try Self.take(rows, of: request.log, byteLimit: request.byteLimit)
            }
        }
    }

    /// The same for peers, who check the signatures and end the link if one is wrong.
    package func signedEvents(_ request: ReadRequest) throws(StoreError) -> [StoredEvent] {
        try readMending {
            let events = try events(request)
            for event in events {
                guard let signature = event.signature else { continue }
                if !HeadSeal.verify(signature, of: event.id, by: event.header.log.author) {
                    throw DamagedEvent(conversation: event.header.conversation)
                }
            }
            return events
        }
    }

    /// An envelope that is kept for another peer (a serialized `Envelope`); `nil` if it is not here.
    package func envelope(_ id: EnvelopeID) throws(StoreError) -> [UInt8]? {
        try read { db in try EnvelopeTable.bytes(of: id, db) }
    }

    /// The picture of a person; `nil` if there is none here.
    package func picture(of peer: PeerID) throws(StoreError) -> SignedPicture? {
        try read { db in try PictureTable.picture(of: peer, db) }
    }

    private static let eventsSQL = """
        SELECT id, header, body, signature, arrived, via FROM event
        WHERE log = (
            SELECT log.id FROM log JOIN conversation ON conversation.id = log.conversation
            WHERE conversation.name = ? AND log.author = ? AND log.replica = ?
        ) AND sequence BETWEEN ? AND ? ORDER BY sequence
        """

    private static func take(_ rows: Prepared, of log: LogID, byteLimit: Int) throws -> [StoredEvent] {
        var events: [StoredEvent] = []
        var room = byteLimit
        try rows.walk { row in
            let size = row.view(1).count + row.view(2).count
            guard size <= room || events.isEmpty else { return false }
            var event = try EventTable.event(row)
            if event.header.log != log { event.branch = log }
            event.via = PeerID(row.view(5))
            events.append(event)
            room -= min(size, room)
            return true
        }
        return events
    }
}

extension Store {
    /// The peer that passed on an event; `nil` if its author sent it or if it is not held.
    ///
    /// - Parameter event: a reference by log, or in a fork also by the name of the branch.
    package func source(
        of event: EventReference,
        in conversation: ConversationID
    ) throws(StoreError) -> PeerID? {
        guard event.sequence <= UInt64(Int64.max) else { return nil }
        return try read { db in
            guard let row = try ConversationTable.row(of: conversation, db) else { return nil }
            let branches = try BranchTable.branches(conversationRow: row, db)
            let sql = "SELECT via FROM event WHERE log = ? AND sequence = ? AND id = ?"
            for name in [event.log] + branches.below(event.log) {
                guard let log = try LogTable.row(of: name, conversationRow: row, db) else { continue }
                let sources = try db.prepared(sql, log, event.sequence, event.id).map { PeerID($0.view(0)) }
                if let source = sources.first { return source }
            }
            return nil
        }
    }
}
