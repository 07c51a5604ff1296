import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Reports from the store: what is on disk, and what could not be written.
extension Conversations {
    /// Takes the result of a batch that is durable.
    ///
    /// - Returns: the conversations in which more or fewer messages are shown although they wait.
    mutating func persisted(
        _ done: PendingBatch,
        _ receipt: PersistReceipt,
        _ turn: inout Turn
    ) -> News {
        var news = News()
        for (key, advance) in done.advanced { change(key.conversation) { $0.persist(key.log, advance) } }
        // Most events need nothing here. They are looked at in place, since a copy of each costs more than that.
        let events = done.rows.events
        for place in events.indices where events[place].signature != nil && events[place].log == turn.own.log {
            change(events[place].header.conversation) { $0.noteHead(events[place].position, of: events[place].log) }
        }
        for (key, sequence) in done.named { change(key.conversation) { $0.persistNamed(key.log, through: sequence) } }
        for record in done.rows.branches { change(record.conversation) { $0.parted(record) } }
        for applied in receipt.applied {
            change(applied.conversation) { $0.setApplied(applied.position, of: applied.log) }
        }
        applied(receipt.appliedChanges)
        // Before anything is told: an event without its body does not count as held in full.
        for row in receipt.missing { change(row.conversation) { $0.setMissing(row.sequences, of: row.log) } }
        for row in receipt.floors {
            change(row.conversation) { $0.raiseFloor(to: row.sequence, cleared: row.cleared, of: row.log) }
        }
        for place in events.indices
        where events[place].log != turn.own.log && !events[place].header.references.isEmpty {
            change(events[place].header.conversation) { $0.cover(by: events[place]) }
        }
        let moved = receipt.applied.map { LogKey($0.conversation, $0.log) }
        news.overdue = noteWaiting(Set(moved).union(done.advanced.keys).sorted(), &turn)
        for label in receipt.labels { change(label.conversation) { $0.group?.show(label) } }
        for terms in receipt.lifetimes { change(terms.conversation) { $0.show(terms) } }
        for (id, membership) in done.groups {
            // Those that gave way to others are applied in their logs, and no changes any more.
            forgetApplied(self[id]?.group?.durable.events.map(\.id).filter { !membership.contains($0) } ?? [])
            var departures: [EventID]?
            change(id) { departures = $0.group?.persist(membership) }
            if let departures, !departures.isEmpty { news.departures.append((id, departures)) }
        }
        for row in done.rows.recipients { change(row.conversation) { $0.group?.persist(row) } }
        invariants { for id in Set(done.advanced.keys.map(\.conversation)) { self[id]?.check() } }
        return news
    }

    /// What people are told after a batch, besides what the store tells.
    struct News {
        /// Conversations in which more or fewer messages are shown although they wait.
        var overdue: Set<ConversationID> = []
        /// The events that ended the membership of somebody, for each group.
        var departures: [(conversation: ConversationID, events: [EventID])] = []
    }

    /// Resets memory to what is on disk after a batch failed.
    mutating func takeBack(_ batch: PendingBatch, _ turn: inout Turn) {
        for key in Set(batch.advanced.keys).union(batch.named.keys) {
            change(key.conversation) { $0.takeBack(key.log) }
        }
        for row in batch.rows.givenUp {
            change(row.conversation) { $0.takeBack(row) }
            considerGivingUp(in: row.conversation, &turn)
        }
        for id in Set(batch.groups.keys).union(batch.rows.recipients.map(\.conversation)) {
            changeMembers(id) { $0.group?.takeBack() }
        }
        for (key, before) in batch.readBefore {
            // If the log was split since, do not go back beyond its present end.
            guard let held = self[key.conversation]?.held(of: key.log),
                before.map({ $0.position.sequence <= held.sequence }) ?? true
            else { continue }
            change(key.conversation) { $0.marks.takeBack(key, to: before) }
        }
        for record in batch.rows.conversations {
            remove(record.id)
            turn.deadlines.drop(record.id)
        }
    }

    /// Whether memory agrees with the row of a mark.
    func agrees(with row: WatermarkRecord) -> Bool { self[row.key.conversation]?.marks.agrees(with: row) ?? false }
}
