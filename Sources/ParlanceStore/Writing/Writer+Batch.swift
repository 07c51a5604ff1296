import GRDB
import ParlanceCore
import ParlanceWire

// Writing a batch: the rows, in the order of their dependencies.
extension Writer {
    /// - Parameter limit: the most events of which old texts are removed.
    func persist(
        _ batch: PersistBatch,
        _ db: Database,
        removing limit: Int = Limits.retentionPerBatch
    ) throws -> PersistReceipt {
        isBusy = batch.events.count >= Checkpoint.busyEvents
        return try transaction(db) { outcome in
            for record in batch.conversations { try ConversationTable.save(record, db) }
            if let replica = batch.replica {
                // The present start is the first of the new replica.
                try MetaTable.renew(replica, epoch: 1, db)
            }
            wall = batch.wall
            let branches = try newBranches(batch, db)
            if branches.isEmpty {
                // What the engine found to be old was on disk before this batch.
                try removeOld(batch.retention, limit, &outcome, db)
                try write(batch, &outcome, db)
            }
            let receipt =
                branches.isEmpty ? try settle(&outcome, db) : try persistForking(batch, branches, &outcome, db)
            try dropOldTexts(db)
            search.note(events: batch.events.count)
            return receipt
        }
    }

    /// Writes everything except conversations and branches.
    func write(_ batch: PersistBatch, _ outcome: inout Outcome, _ db: Database) throws {
        for key in batch.damaged {
            // Whatever is missing is told again.
            if let entry = try existingEntry(key, db) { outcome.missing[entry.row] = (entry, []) }
        }
        for found in batch.bodies { try fill(found, &outcome, db) }
        try takeMembership(batch, &outcome, db)
        for recipient in batch.recipients {
            let row = try conversationRow(recipient.conversation, db)
            try RecipientTable.save(recipient, conversationRow: row, db)
        }
        for row in batch.givenUp { try giveUp(row, &outcome, db) }
        for event in batch.events { try append(event, &outcome, db) }
        for signature in batch.signatures { try sign(signature, &outcome, db) }
        for named in batch.named { try name(named, &outcome, db) }
        for peer in batch.peers { try PeerTable.save(peer, db) }
        for watermark in batch.watermarks { try save(watermark, &outcome, db) }
        if let profile = batch.profile { try MetaTable.save(profile, db) }
        for record in batch.pictures { try PictureTable.save(record, db) }
        if let ran = batch.ran { try MetaTable.save(ran: ran, db) }
        for record in batch.preferences {
            let row = try conversationRow(record.conversation, db)
            try PreferenceTable.save(record.preference, conversationRow: row, db)
        }
        for record in batch.transfers {
            let row = try conversationRow(record.conversation, db)
            try TransferTable.save(record, conversationRow: row, db)
        }
        if let workspace = batch.workspace { try WorkspaceTable.save(workspace, db) }
        for key in batch.prekeys { try PrekeyTable.add(key, db) }
        for id in batch.erasedPrekeys { try PrekeyTable.erase(id, db) }
        for envelope in batch.envelopes { try EnvelopeTable.add(envelope, db) }
        for id in batch.erasedEnvelopes { try EnvelopeTable.erase(id, db) }
    }

    private func append(_ event: StoredEvent, _ outcome: inout Outcome, _ db: Database) throws {
        let header = event.header
        let entry = try entry(LogKey(header.conversation, event.log), db)
        let isFirst = entry.position.sequence == 0
        guard header.sequence == entry.position.sequence &+ 1, header.sequence <= UInt64(Int64.max),
            header.previous == (isFirst ? nil : entry.position.head)
        else {
            throw StoreError.contradiction("event \(header.sequence) after \(entry.position.sequence)")
        }
        try noteBody(of: event, entry, &outcome, db)
        let readiness =
            entry.applied.sequence == entry.position.sequence ? try readiness(of: header, entry, db) : .never
        var effective: UInt64?
        switch readiness {
        case .ready(let time): effective = time
        case .waits(let log, let sequence): try wait(entry, for: log, sequence)
        case .never: break
        }
        try events.insert(event, log: entry.row, effective: effective)
        entry.position = event.position
        entry.time = header.time
        if event.signature != nil { entry.signedThrough = event.position }
        outcome.markDirty(entry)
        if let effective {
            try apply(event, effective: effective, entry, &outcome, db)
            try advanceUnblocked(&outcome, db)
        }
    }

    private func sign(_ signature: HeadSignature, _ outcome: inout Outcome, _ db: Database) throws {
        let entry = try entry(LogKey(signature.conversation, signature.log), db)
        guard let found = try events.find(log: entry.row, sequence: signature.sequence) else {
            throw StoreError.contradiction("signature of event \(signature.sequence)")
        }
        try events.setSignature(signature.signature, log: entry.row, sequence: signature.sequence)
        if signature.sequence > entry.signedThrough.sequence {
            entry.signedThrough = found.event.position
            outcome.markDirty(entry)
        }
    }

    private func name(_ named: NamedLog, _ outcome: inout Outcome, _ db: Database) throws {
        let entry = try entry(LogKey(named.conversation, named.log), db)
        entry.namedThrough = named.sequence
        outcome.markDirty(entry)
    }

    private func save(_ watermark: WatermarkRecord, _ outcome: inout Outcome, _ db: Database) throws {
        let key = watermark.key
        let conversationRow = try conversationRow(key.conversation, db)
        try WatermarkTable.save(watermark, conversationRow: conversationRow, db)
        guard key.level == .read, key.member == identity,
            let entry = try existingEntry(LogKey(key.conversation, key.log), db), !entry.isOwn,
            watermark.position.sequence > entry.readThrough
        else { return }
        entry.readThrough = watermark.position.sequence
        (entry.unread, entry.mentions) = try unread(in: entry, db)
        outcome.markDirty(entry)
    }

    /// Counts messages beyond the read mark, usually none, and those among them that mention the owner.
    private func unread(in entry: LogEntry, _ db: Database) throws -> (Int, Int) {
        guard entry.readThrough < entry.applied.sequence else { return (0, 0) }
        let sql = """
            SELECT count(*), total(message.flags & ?4 != 0) FROM event JOIN message
            ON message.conversation = ?1 AND message.effective = event.effective AND message.id = event.id
            WHERE event.log = ?2 AND event.sequence > ?3 AND message.flags & ?5 = 0
            """
        let mention = MessageTable.Flags.mention
        let hidden: MessageTable.Flags = [.note, .deleted]
        return try db.prepared(sql, entry.conversationRow, entry.row, entry.readThrough, mention, hidden)
            .first { (Int($0.integer(0)), Int($0.integer(1))) } ?? (0, 0)
    }
}
