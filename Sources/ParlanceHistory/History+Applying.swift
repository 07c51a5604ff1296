import ParlanceRecords
import ParlanceWire

// Applying events (events.md, "Dependencies", "Order"): a pure function of the set of events held, whatever the order of
// arrival.
extension History {
    /// Whether an event can be applied, once its log is applied up to it.
    enum Readiness {
        /// It can be applied, with this effective time.
        case ready(UInt64)
        /// It must wait until that event of that log is applied.
        case waits(LogID, UInt64)
        /// It refers to an event other than the one at that position. Its log stops there; of other logs only those
        /// wait that refer to what follows in it. If the position turns out to be forked, the conversation is projected anew.
        case never
    }

    func readiness(of header: EventHeader, _ entry: LogProgress) throws -> Readiness {
        var predecessor: UInt64? = entry.hasApplied ? entry.appliedEffective : nil
        if !entry.hasApplied, let parent = entry.parent, entry.base.sequence > 0 {
            guard let before = try baseEvent(of: entry) else { return .waits(parent, entry.base.sequence) }
            predecessor = before.effective
        }
        guard !header.dependencies.isEmpty || header.target != nil else {
            return .ready(Projector.effective(time: header.time, after: predecessor))
        }
        var earlier: [UInt64] = predecessor.map { [$0] } ?? []
        let branches = try branches(of: entry.key.conversation)
        for dependency in header.references where try isGivenUp(dependency, in: header.conversation) == false {
            let log = branches.keeper(of: dependency.sequence, dependency.log)
            if !branches.children(of: log).isEmpty {
                // SQLite's integers end there, and so do logs.
                guard dependency.sequence <= UInt64(Int64.max) else { return .never }
                guard let effective = try held(dependency, in: entry.key.conversation)?.effective else {
                    return .waits(log, dependency.sequence)
                }
                earlier.append(effective)
                continue
            }
            let other = try existingEntry(LogKey(header.conversation, log))
            guard let other, other.applied.sequence >= dependency.sequence else {
                return dependency.sequence > UInt64(Int64.max) ? .never : .waits(log, dependency.sequence)
            }
            guard let applied = try applied(at: dependency.sequence, other), applied.id == dependency.id else {
                return .never
            }
            earlier.append(applied.effective)
        }
        return .ready(Projector.effective(time: header.time, after: earlier))
    }

    /// Returns an applied event. It is usually the last one, which is in memory.
    private func applied(at sequence: UInt64, _ entry: LogProgress) throws -> (id: EventID, effective: UInt64)? {
        if sequence == entry.applied.sequence { return (entry.applied.head, entry.appliedEffective) }
        guard let found = try tables.event(log: entry.row, sequence: sequence) else { return nil }
        return found.effective.map { (found.event.id, $0) }
    }

    /// Projects an event. Its effective time is in the table already, or is written together with this.
    func apply(_ event: StoredEvent, effective: UInt64, _ entry: LogProgress, _ outcome: inout Outcome)
        throws
    {
        let header = event.header
        let verdict = Projector.judge(
            event,
            after: try entry.lastApplied ?? baseEvent(of: entry),
            rights: try rights(of: header, entry),
            isValidChange: header.kind.isMembership && entry.group?.membership.isValid(event.id) == true
        )
        if let parent = entry.parent, !entry.hasApplied { outcome.forks.insert(LogKey(entry.key.conversation, parent)) }
        invariant(
            !entry.hasApplied || effective > entry.appliedEffective || effective == Projector.latest,
            "the effective times of a log ascend"
        )
        invariant(header.sequence == entry.applied.sequence + 1, "events of a log are applied without a gap")
        entry.applied = event.position
        entry.appliedTime = header.time
        entry.appliedEffective = effective
        outcome.markDirty(entry)
        outcome.applied(entry)
        if header.kind.isMembership, entry.group?.membership.contains(event.id) == true {
            outcome.applied(change: event.id)
        }
        switch verdict {
        case .message(let message):
            var flags: LineFlags = message.mentions.contains(identity) ? .mention : []
            if !message.files.isEmpty {
                flags.insert(.files)
                try tables.insertFiles(message.files, log: entry.row, sequence: header.sequence)
            }
            try show(event, .text(message.text), effective, flags, entry, &outcome)
            // Everything else about it is looked up at the end.
            if outcome.gathers, header.target != nil || message != MessageText(message.text) {
                outcome.touch(entry, header.sequence)
            }
        case .note(let note):
            try show(event, .note(note), effective, .note, entry, &outcome)
            try save(note, of: event, effective, entry, &outcome)
        case .withdraw(let sequence):
            let keeper = try keeper(of: sequence, entry)
            try touch(keeper, sequence, &outcome)
            try tables.countWithdrawal(log: keeper.row, sequence: sequence)
        case .void:
            if let line = try voidLine(event, effective: effective, entry) { outcome.void(line) }
        case .edit, .delete, .reaction, .nothing: break
        }
        if header.kind.needsTarget || header.kind == .message, header.target != nil {
            try relate(event, verdict, effective: effective, entry, &outcome)
        }
        try wake(entry, &outcome)
    }

    private func show(
        _ event: StoredEvent,
        _ content: ShownMessage.Content,
        _ effective: UInt64,
        _ flags: LineFlags,
        _ entry: LogProgress,
        _ outcome: inout Outcome
    ) throws {
        let header = event.header
        try tables.insertLine(event.id, effective: effective, entry: entry, sequence: header.sequence, flags: flags)
        entry.count(flags, at: header.sequence, by: 1)
        outcome.show(ShownMessage(event, effective: effective, content: content))
    }
}
