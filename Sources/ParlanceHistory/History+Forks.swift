import ParlanceRecords
import ParlanceWire

// Forked logs (events.md, "Forks").
extension History {
    /// A held event, with the log that contains it.
    struct Held {
        let entry: LogProgress
        let event: StoredEvent
        let effective: UInt64?
    }

    func held(_ sequence: UInt64, _ entry: LogProgress) throws -> Held? {
        guard let found = try tables.event(log: entry.row, sequence: sequence) else { return nil }
        var event = found.event
        event.branch = entry.branch
        return Held(entry: entry, event: event, effective: found.effective)
    }

    /// The event that a reference names: in the named log, or in a branch of it.
    func held(_ reference: EventReference, in conversation: ConversationID) throws -> Held? {
        guard reference.sequence <= UInt64(Int64.max) else { return nil }
        let branches = try branches(of: conversation)
        let keeper = branches.keeper(of: reference.sequence, reference.log)
        for log in [keeper] + branches.below(keeper) {
            guard let entry = try existingEntry(LogKey(conversation, log)),
                let found = try held(reference.sequence, entry), found.event.id == reference.id
            else { continue }
            return found
        }
        return nil
    }

    /// The event that another is about. If both are in one log, it comes before the other: in the same branch or in a
    /// parent.
    func target(of header: EventHeader, _ entry: LogProgress) throws -> Held? {
        guard let target = header.target else { return nil }
        guard target.log == header.log else {
            if try isGivenUp(target, in: entry.key.conversation) { return nil }
            return try held(target, in: entry.key.conversation)
        }
        guard target.sequence < header.sequence else { return nil }
        for log in [entry.key.log] + (try branches(of: entry.key.conversation).above(entry.key.log)) {
            guard let other = try existingEntry(LogKey(entry.key.conversation, log)),
                let found = try held(target.sequence, other), found.event.id == target.id
            else { continue }
            return found
        }
        return nil
    }

    /// The log that contains a position of another log: the log itself, or a parent if the position is not beyond its
    /// base.
    func keeper(of sequence: UInt64, _ entry: LogProgress) throws -> LogProgress {
        guard entry.parent != nil else { return entry }
        let conversation = entry.key.conversation
        let log = try branches(of: conversation).keeper(of: sequence, entry.key.log)
        return try self.entry(LogKey(conversation, log))
    }

    /// The event that the first event of a branch follows, if applied; `nil` also in a log that is not a branch.
    func baseEvent(of entry: LogProgress) throws -> Projector.Applied? {
        guard let parent = entry.parent, entry.base.sequence > 0 else { return nil }
        let base = EventReference(log: parent, sequence: entry.base.sequence, id: entry.base.head)
        guard let found = try held(base, in: entry.key.conversation), let effective = found.effective else {
            return nil
        }
        return Projector.Applied(id: base.id, time: found.event.header.time, effective: effective)
    }

    /// Creates the log of a branch, and moves to it the events of its parent that belong to it.
    func part(_ record: BranchRecord, _ outcome: inout Outcome) throws {
        let id = record.conversation
        let entry = try entry(LogKey(id, record.log))
        if try branches(of: id)[record.log] != nil {
            // The parent turned out to split earlier: only the branch's parent changes.
            invariant(entry.base == record.base, "a branch keeps its base when its parent changes")
            try tables.moveBranch(log: entry.row, to: record.parent)
            forgetBranches(of: id)
            return entry.setBranch(of: record.parent, at: record.base)
        }
        invariant(entry.position.sequence == 0, "a log becomes a branch before it holds anything")
        invariant(record.log != record.parent, "a log does not part into itself")
        try tables.insertBranch(record, log: entry.row, conversationRow: entry.conversationRow)
        forgetBranches(of: id)
        entry.setBranch(of: record.parent, at: record.base)
        entry.position = record.base
        // The common part is served from the parent and never signed here.
        entry.signedThrough = record.base
        entry.applied = record.base
        outcome.markDirty(entry)
        let next = record.base.sequence + 1
        guard let parent = try existingEntry(LogKey(id, record.parent)), parent !== entry,
            try held(next, parent)?.event.id == record.first
        else { return }
        try tables.moveEvents(from: parent.row, to: entry.row, after: record.base.sequence)
        entry.position = parent.position
        entry.time = parent.time
        if parent.signedThrough.sequence > record.base.sequence { entry.signedThrough = parent.signedThrough }
        entry.namedThrough = parent.namedThrough
        if parent.floor > record.base.sequence { entry.floor = parent.floor }
        if parent.cleared > record.base.sequence { entry.cleared = parent.cleared }
        try cut(parent, after: record.base.sequence, &outcome)
    }

    private func cut(_ parent: LogProgress, after sequence: UInt64, _ outcome: inout Outcome) throws {
        let last = try held(sequence, parent)?.event
        parent.position = last?.position ?? parent.base
        parent.time = last?.header.time ?? EventTime(raw: 0)
        parent.signedThrough = parent.position
        parent.namedThrough = min(parent.namedThrough, sequence)
        parent.readThrough = min(parent.readThrough, sequence)
        parent.floor = min(parent.floor, sequence)
        parent.cleared = min(parent.cleared, sequence)
        invariant(
            parent.position.sequence <= max(sequence, parent.base.sequence),
            "a log ends where its branches begin"
        )
        outcome.markDirty(parent)
    }
}

// The line that shows a fork.
extension History {
    /// The first applied event of a branch.
    private struct First {
        let entry: LogProgress
        let event: StoredEvent
        let effective: UInt64
    }

    /// Moves the line of each fork whose branches came into sight to the right place.
    func settleForks(_ outcome: inout Outcome) throws {
        for key in outcome.forks.sorted(by: { ($0.conversation, $0.log) < ($1.conversation, $1.log) }) {
            let firsts = try firsts(of: key)
            guard firsts.count > 1,
                let first = firsts.min(by: { ($0.effective, $0.event.id) < ($1.effective, $1.event.id) })
            else { continue }
            let id = ShownMessage.forkNote(of: key, at: first.entry.base)
            let before = try removeNotes(of: key, firsts)
            let place = Place(log: first.entry.row, sequence: first.event.header.sequence)
            try tables.insertLine(
                id,
                effective: first.effective,
                entry: first.entry,
                sequence: place.sequence,
                flags: [.note, .fork]
            )
            for other in before.keys.sorted() where other != id { outcome.settled(other, wasShown: true, now: nil) }
            guard before[id].map({ $0.place == place && $0.effective == first.effective }) != true else { continue }
            let note = ShownMessage(forkAt: first.event, id: id, effective: first.effective)
            outcome.settled(id, wasShown: before[id] != nil, now: note)
        }
    }

    private func firsts(of parent: LogKey) throws -> [First] {
        try branches(of: parent.conversation).children(of: parent.log).compactMap { branch in
            guard let entry = try existingEntry(LogKey(parent.conversation, branch.log)), entry.hasApplied,
                let found = try held(branch.base.sequence + 1, entry), let effective = found.effective
            else { return nil }
            return First(entry: entry, event: found.event, effective: effective)
        }
    }

    /// Removes the line. There is no index by ID, but the line can only be at one of the first events.
    private func removeNotes(
        of parent: LogKey,
        _ firsts: [First]
    ) throws -> [EventID: (place: Place, effective: UInt64)] {
        var removed: [EventID: (place: Place, effective: UInt64)] = [:]
        for id in Set(firsts.map { ShownMessage.forkNote(of: parent, at: $0.entry.base) }).sorted() {
            for first in firsts {
                guard
                    let place = try tables.linePlace(
                        of: id,
                        effective: first.effective,
                        conversationRow: first.entry.conversationRow
                    )
                else {
                    continue
                }
                removed[id] = (place, first.effective)
                try tables.deleteLine(id, effective: first.effective, entry: first.entry)
            }
        }
        return removed
    }
}
