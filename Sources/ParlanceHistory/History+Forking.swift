import ParlanceRecords
import ParlanceWire

// Applying a batch that contains forks (events.md, "Forks"). This is rare, so the conversation is projected anew, and the
// receipt lists the differences from what was shown before.
extension History {
    /// The branches of a batch that are new or have a new parent, by the last record of each: within one batch a log may turn
    /// out to fork earlier. A record is ignored if a log of that name is held already and is not a branch.
    func newBranches(_ batch: any HistoryBatch) throws -> [BranchRecord] {
        var found: [BranchRecord] = []
        for record in batch.branches {
            found.removeAll { $0.conversation == record.conversation && $0.log == record.log }
            let known = try branches(of: record.conversation)[record.log]
            let log = try existingEntry(LogKey(record.conversation, record.log))
            if known.map({ $0.parent != record.parent }) ?? (log == nil || log?.position.sequence == 0) {
                found.append(record)
            }
        }
        return found
    }

    func applyForking(_ batch: any HistoryBatch, _ new: [BranchRecord], _ outcome: inout Outcome) throws
        -> PersistReceipt
    {
        outcome.gathers = false
        let forked = Set(new.map(\.conversation))
        let touched = forked.union(batch.events.map(\.header.conversation))
            .union(batch.membership.map(\.header.conversation)).union(batch.bodies.map(\.conversation)).sorted()
        let before = try touched.map { try picture(of: $0) }
        for id in forked.sorted() { try tables.willDivide(id) }
        // A log that is cleared is divided with it; a branch may be cleared by its own name.
        try noteCleared(batch.retention, &outcome)
        for record in new { try part(record, &outcome) }
        try noteCleared(batch.retention, &outcome)
        for id in forked.sorted() { try projectAnew(id, &outcome) }
        try write(batch, &outcome)
        _ = try settle(&outcome)
        var receipt = PersistReceipt()
        receipt.filled = outcome.filled
        for (id, picture) in zip(touched, before) {
            try tell(id, since: picture, isForked: forked.contains(id), &receipt)
        }
        for key in batch.damaged {
            let isTold = receipt.missing.contains { $0.conversation == key.conversation && $0.log == key.log }
            guard !isTold, let entry = try existingEntry(key) else { continue }
            let lacking = try tables.missing(log: entry.row)
            receipt.missing.append(MissingBodies(conversation: key.conversation, log: key.log, sequences: lacking))
        }
        receipt.floors = try clearedLogs(of: batch.retention)
        return receipt
    }

    /// Adds the differences of a conversation to the receipt.
    private func tell(
        _ id: ConversationID,
        since before: Picture,
        isForked: Bool,
        _ receipt: inout PersistReceipt
    ) throws {
        var gone = before.messages
        for (message, log) in try shown(id) {
            guard let old = gone.removeValue(forKey: message.id) else {
                receipt.shown.append(message)
                continue
            }
            if old != Picture.Message(message, log: log) { receipt.changed.append(message) }
        }
        receipt.withdrawn += gone.keys.sorted()
        for entry in try entries(conversationRow: before.row) {
            let (old, log) = (before.logs[entry.key], entry.key.log)
            if isForked || old?.applied != entry.applied {
                receipt.applied.append(AppliedLog(conversation: id, log: log, position: entry.applied))
            }
            let missing = try tables.missing(log: entry.row)
            if old?.missing ?? [] != missing {
                receipt.missing.append(MissingBodies(conversation: id, log: log, sequences: missing))
            }
        }
        let lifetime = try tables.lifetime(of: id, before.row)
        if lifetime != before.lifetime { receipt.lifetimes.append(lifetime) }
        guard try conversation(id).group != nil else { return }
        let changes = try tables.appliedMembership(conversationRow: before.row)
        receipt.appliedChanges += changes.subtracting(before.appliedChanges).sorted()
        let label = try tables.label(of: id, before.row)
        if label != before.label { receipt.labels.append(label) }
    }

    private func picture(of id: ConversationID) throws -> Picture {
        let row = try conversationRow(id)
        var picture = Picture(
            row: row,
            appliedChanges: try tables.appliedMembership(conversationRow: row),
            label: try tables.label(of: id, row),
            lifetime: try tables.lifetime(of: id, row)
        )
        for (message, log) in try shown(id) { picture.messages[message.id] = Picture.Message(message, log: log) }
        for entry in try entries(conversationRow: row) {
            picture.logs[entry.key] = Picture.Log(
                applied: entry.applied,
                missing: try tables.missing(log: entry.row)
            )
        }
        return picture
    }

    /// Everything shown of a conversation, in the order shown, with the rows of the logs.
    private func shown(_ id: ConversationID) throws -> [(message: ShownMessage, log: Int64)] {
        let reader = try reader(of: id)
        return try tables.lines(conversationRow: conversationRow(id)).map { line in
            let message = try reader.line(
                line.event,
                id: line.id,
                flags: line.flags,
                effective: line.effective,
                log: line.log
            )
            return (message, line.log)
        }
    }
}

/// What is shown of a conversation, and the progress of its logs, before a batch that contains forks.
private struct Picture {
    /// A message or a note. A plain text cannot change, so it is not kept.
    struct Message: Equatable {
        let log: Int64
        let effective: UInt64
        let rich: ShownMessage.Content?

        init(_ message: ShownMessage, log: Int64) {
            self.log = log
            effective = message.effective
            if case .text = message.content { rich = nil } else { rich = message.content }
        }
    }

    struct Log {
        let applied: LogPosition
        let missing: [UInt64]
    }

    let row: Int64
    let appliedChanges: Set<EventID>
    let label: GroupLabel
    let lifetime: LifetimeTerms
    var messages: [EventID: Message] = [:]
    var logs: [LogKey: Log] = [:]
}
