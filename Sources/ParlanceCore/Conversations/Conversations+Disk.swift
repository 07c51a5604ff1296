import ParlanceWire

// What the store tells: what is on disk now, and what could not be written.
extension Conversations {
    /// A batch is durable.
    mutating func persisted(_ done: PendingBatch, _ receipt: PersistReceipt, _ turn: inout Turn) {
        for (key, advance) in done.advanced { self[key.conversation]?.persist(key.log, advance) }
        for event in done.events where event.signature != nil && event.log == turn.own.log {
            self[event.header.conversation]?.noteHead(event.position, of: event.log)
        }
        for (key, sequence) in done.named { self[key.conversation]?.persistNamed(key.log, through: sequence) }
        for record in done.branches { self[record.conversation]?.parted(record) }
        for applied in receipt.applied { self[applied.conversation]?.setApplied(applied.position, of: applied.log) }
        applied(receipt.appliedChanges)
        // Before anything is told: what lacks its body is not held.
        for row in receipt.missing { self[row.conversation]?.setMissing(row.sequences, of: row.log) }
        for event in done.events where event.log != turn.own.log { self[event.header.conversation]?.cover(by: event) }
        let moved = receipt.applied.map { LogKey($0.conversation, $0.log) }
        noteWaiting(Set(moved).union(done.advanced.keys).sorted(), &turn)
        for (id, membership) in done.groups { self[id]?.group?.persist(membership) }
        for row in done.recipients { self[row.conversation]?.group?.persist(row) }
    }

    /// A batch failed: memory goes back to what is on disk.
    mutating func takeBack(_ batch: PendingBatch, _ turn: inout Turn) {
        for key in Set(batch.advanced.keys).union(batch.named.keys) { self[key.conversation]?.takeBack(key.log) }
        for id in Set(batch.groups.keys).union(batch.recipients.map(\.conversation)) { self[id]?.group?.takeBack() }
        for (key, before) in batch.readBefore {
            // Where the log has parted since, what was read ends there.
            guard let held = self[key.conversation]?.held(of: key.log),
                before.map({ $0.position.sequence <= held.sequence }) ?? true
            else { continue }
            self[key.conversation]?.marks.takeBack(key, to: before)
        }
        for record in batch.conversations {
            remove(record.id)
            turn.deadlines.drop(record.id)
        }
    }

    /// Whether memory says the same as the row of a mark.
    func agrees(with row: WatermarkRecord) -> Bool { self[row.key.conversation]?.marks.agrees(with: row) ?? false }
}
