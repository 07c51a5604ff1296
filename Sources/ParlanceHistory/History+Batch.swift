package import ParlanceRecords
import ParlanceWire

// Applying a batch: the rows, in the order of their dependencies.
extension History {
    /// Applies what a batch says of conversations whose rows are there. Call it within a transaction.
    ///
    /// - Parameter limit: the most events of which old texts are removed.
    package func apply(
        _ batch: any HistoryBatch,
        removing limit: Int = Limits.retentionPerBatch,
        _ outcome: inout Outcome
    ) throws -> PersistReceipt {
        wall = batch.wall
        let branches = try newBranches(batch)
        let receipt: PersistReceipt
        if branches.isEmpty {
            // What the engine found to be old was on disk before this batch.
            try removeOld(batch.retention, limit, &outcome)
            try write(batch, &outcome)
            receipt = try settle(&outcome)
        } else {
            receipt = try applyForking(batch, branches, &outcome)
        }
        try dropOldTexts()
        receipt.check()
        return receipt
    }

    /// Writes everything except branches.
    func write(_ batch: any HistoryBatch, _ outcome: inout Outcome) throws {
        for key in batch.damaged {
            // Whatever is missing is told again.
            if let entry = try existingEntry(key) { outcome.missing[entry.row] = (entry, []) }
        }
        for found in batch.bodies { try fill(found, &outcome) }
        try takeMembership(batch, &outcome)
        for row in batch.givenUp { try giveUp(row, &outcome) }
        for event in batch.events { try append(event, &outcome) }
        for signature in batch.signatures { try sign(signature, &outcome) }
        for named in batch.named { try name(named, &outcome) }
        for watermark in batch.watermarks { try save(watermark, &outcome) }
    }

    private func append(_ event: StoredEvent, _ outcome: inout Outcome) throws {
        let header = event.header
        let entry = try entry(LogKey(header.conversation, event.log))
        let isFirst = entry.position.sequence == 0
        guard header.sequence == entry.position.sequence &+ 1, header.sequence <= UInt64(Int64.max),
            header.previous == (isFirst ? nil : entry.position.head)
        else {
            throw HistoryError.contradiction("event \(header.sequence) after \(entry.position.sequence)")
        }
        try noteBody(of: event, entry, &outcome)
        let readiness =
            entry.applied.sequence == entry.position.sequence ? try readiness(of: header, entry) : .never
        var effective: UInt64?
        switch readiness {
        case .ready(let time): effective = time
        case .waits(let log, let sequence): try wait(entry, for: log, sequence)
        case .never: break
        }
        try tables.insert(event, log: entry.row, effective: effective)
        entry.position = event.position
        entry.time = header.time
        if event.signature != nil { entry.signedThrough = event.position }
        outcome.markDirty(entry)
        if let effective {
            try apply(event, effective: effective, entry, &outcome)
            try advanceUnblocked(&outcome)
        }
    }

    private func sign(_ signature: HeadSignature, _ outcome: inout Outcome) throws {
        let entry = try entry(LogKey(signature.conversation, signature.log))
        guard let found = try tables.event(log: entry.row, sequence: signature.sequence) else {
            throw HistoryError.contradiction("signature of event \(signature.sequence)")
        }
        try tables.setSignature(signature.signature, log: entry.row, sequence: signature.sequence)
        if signature.sequence > entry.signedThrough.sequence {
            entry.signedThrough = found.event.position
            outcome.markDirty(entry)
        }
    }

    private func name(_ named: NamedLog, _ outcome: inout Outcome) throws {
        let entry = try entry(LogKey(named.conversation, named.log))
        entry.namedThrough = named.sequence
        outcome.markDirty(entry)
    }

    private func save(_ watermark: WatermarkRecord, _ outcome: inout Outcome) throws {
        let key = watermark.key
        let conversationRow = try conversationRow(key.conversation)
        try tables.save(watermark, conversationRow: conversationRow)
        guard key.level == .read, key.member == identity,
            let entry = try existingEntry(LogKey(key.conversation, key.log)), !entry.isOwn,
            watermark.position.sequence > entry.readThrough
        else { return }
        entry.readThrough = watermark.position.sequence
        (entry.unread, entry.mentions) = try unread(in: entry)
        outcome.markDirty(entry)
    }

    /// Counts messages beyond the read mark, usually none, and those among them that mention the owner.
    private func unread(in entry: LogProgress) throws -> (count: Int, mentions: Int) {
        entry.readThrough < entry.applied.sequence ? try tables.unread(in: entry) : (0, 0)
    }
}
