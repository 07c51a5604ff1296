import GRDB
import ParlanceCore
import ParlanceWire

// Writing a batch that contains forks. This is rare, so the conversation is projected anew, and the receipt lists the
// differences from what was shown before.
extension Writer {
    /// The branches of a batch that are new or have a new parent. A record is ignored if a log of that name is held
    /// already and is not a branch.
    func newBranches(_ batch: PersistBatch, _ db: Database) throws -> [BranchRecord] {
        var found: [BranchRecord] = []
        for record in batch.branches where !found.contains(where: { $0.log == record.log }) {
            let known = try branches(of: record.conversation, db)[record.log]
            let log = try existingEntry(LogKey(record.conversation, record.log), db)
            if known.map({ $0.parent != record.parent }) ?? (log == nil || log?.position.sequence == 0) {
                found.append(record)
            }
        }
        return found
    }

    func persistForking(_ batch: PersistBatch, _ new: [BranchRecord], _ outcome: inout Outcome, _ db: Database) throws
        -> PersistReceipt
    {
        outcome.gathers = false
        let forked = Set(new.map(\.conversation))
        let touched = forked.union(batch.events.map(\.header.conversation))
            .union(batch.membership.map(\.header.conversation)).union(batch.bodies.map(\.conversation)).sorted()
        let before = try touched.map { try Picture($0, self, db) }
        for id in forked.sorted() { try leaveSearch(id, db) }
        // A log that is cleared is divided with it; a branch may be cleared by its own name.
        try noteCleared(batch.retention, &outcome, db)
        for record in new { try part(record, &outcome, db) }
        try noteCleared(batch.retention, &outcome, db)
        for id in forked.sorted() { try projectAnew(id, &outcome, db) }
        try write(batch, &outcome, db)
        _ = try settle(&outcome, db)
        var receipt = PersistReceipt()
        receipt.filled = outcome.filled
        for (id, picture) in zip(touched, before) {
            try tell(id, since: picture, isForked: forked.contains(id), &receipt, db)
        }
        for key in batch.damaged {
            let isTold = receipt.missing.contains { $0.conversation == key.conversation && $0.log == key.log }
            guard !isTold, let entry = try existingEntry(key, db) else { continue }
            let lacking = try missing.sequences(log: entry.row)
            receipt.missing.append(MissingBodies(conversation: key.conversation, log: key.log, sequences: lacking))
        }
        receipt.floors = try clearedLogs(of: batch.retention, db)
        return receipt
    }

    /// Adds the differences of a conversation to the receipt.
    private func tell(
        _ id: ConversationID,
        since before: Picture,
        isForked: Bool,
        _ receipt: inout PersistReceipt,
        _ db: Database
    ) throws {
        var gone = before.messages
        try ShownMessage.each(inConversation: before.row, db) { message, log in
            guard let old = gone.removeValue(forKey: message.id) else { return receipt.shown.append(message) }
            if old != Picture.Message(message, log: log) { receipt.changed.append(message) }
        }
        receipt.withdrawn += gone.keys.sorted()
        let now = try Picture.logs(before.row, self, db)
        for log in now {
            let old = before.logs[log.entry.key]
            if isForked || old?.applied != log.entry.applied {
                receipt.applied.append(
                    AppliedLog(conversation: id, log: log.entry.key.log, position: log.entry.applied)
                )
            }
            if old?.missing ?? [] != log.missing {
                receipt.missing.append(
                    MissingBodies(conversation: id, log: log.entry.key.log, sequences: log.missing)
                )
            }
        }
        let lifetime = try LifetimeTable.terms(of: id, before.row, db)
        if lifetime != before.lifetime { receipt.lifetimes.append(lifetime) }
        guard try conversation(id, db).group != nil else { return }
        let changes = try MembershipTable.applied(conversationRow: before.row, db)
        receipt.appliedChanges += changes.subtracting(before.appliedChanges).sorted()
        let label = try LabelTable.label(of: id, before.row, db)
        if label != before.label { receipt.labels.append(label) }
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
    var messages: [EventID: Message] = [:]
    var logs: [LogKey: Log] = [:]
    let appliedChanges: Set<EventID>
    let label: GroupLabel
    let lifetime: LifetimeTerms

    init(_ id: ConversationID, _ writer: Writer, _ db: Database) throws {
        row = try writer.conversation(id, db).row
        var found: [EventID: Message] = [:]
        try ShownMessage.each(inConversation: row, db) { message, log in
            found[message.id] = Message(message, log: log)
        }
        messages = found
        appliedChanges = try MembershipTable.applied(conversationRow: row, db)
        label = try LabelTable.label(of: id, row, db)
        lifetime = try LifetimeTable.terms(of: id, row, db)
        for log in try Self.logs(row, writer, db) {
            logs[log.entry.key] = Log(applied: log.entry.applied, missing: log.missing)
        }
    }

    /// The logs of a conversation, as the writer has them in memory.
    static func logs(
        _ row: Int64,
        _ writer: Writer,
        _ db: Database
    ) throws -> [(entry: LogEntry, missing: [UInt64])] {
        try LogTable.all(db, own: writer.identity).filter { $0.conversationRow == row }.map { entry in
            (try writer.entry(entry.key, db), try writer.missing.sequences(log: entry.row))
        }
    }
}
