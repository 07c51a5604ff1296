import GRDB
import ParlanceCore
import ParlanceWire

// What was touched is looked at once more at the end of a transaction, so that what people see follows from all that is
// held then, whatever the order in which it came.
extension Writer {
    /// Keeps what an edit, a deletion or a reaction comes to beside the message it is about.
    func relate(
        _ event: StoredEvent,
        _ verdict: Projector.Verdict,
        effective: UInt64,
        _ entry: LogEntry,
        _ db: Database
    ) throws {
        guard let found = try target(of: event.header, entry, db), found.event.header.kind == .message else { return }
        let other = found.entry
        try abouts.save(
            event,
            effective: effective,
            verdict: verdict,
            by: entry,
            about: other,
            found.event.header.sequence
        )
        outcome.touch(other, found.event.header.sequence)
    }

    /// Makes rows, bodies and counts fit what was touched.
    func settle(_ db: Database) throws -> PersistReceipt {
        try settleForks(db)
        var next = 0
        var all: [Settled] = []
        while next < outcome.touched.count {
            let (entry, sequence) = outcome.touched[next]
            if let settled = try settle(entry, sequence, db) { all.append(settled) }
            next += 1
        }
        // What one says may quote another, so all rows come first.
        for settled in all { outcome.settled(settled.event.id, hadRow: settled.hadRow, now: try read(settled, db)) }
        var receipt = outcome.receipt()
        for entry in outcome.missing {
            let sequences = try missing.sequences(log: entry.row)
            receipt.missing.append(
                MissingBodies(conversation: entry.key.conversation, log: entry.key.log, sequences: sequences)
            )
        }
        for (id, label) in outcome.labels.sorted(by: { $0.key < $1.key }) {
            let now = try LabelTable.label(of: id, label.row, db)
            if now != label.before { receipt.labels.append(now) }
        }
        return receipt
    }

    /// Something touched that had a row, or has one now.
    private struct Settled {
        let entry: LogEntry
        let event: StoredEvent
        let effective: UInt64
        let hadRow: Bool
        let flags: MessageTable.Flags?
    }

    /// - Returns: what the receipt may have to say of it.
    private func settle(_ entry: LogEntry, _ sequence: UInt64, _ db: Database) throws -> Settled? {
        guard let found = try held(sequence, entry) else { return nil }
        var event = found.event
        let isMessage = event.header.kind == .message
        var about = About()
        var withdrawal: WithdrawalTable.State?
        if isMessage {
            about = try About(log: entry.row, sequence: sequence, db)
            withdrawal = try withdrawals.state(log: entry.row, sequence: sequence)
            if about.deletion != nil || withdrawal == .counts { try dropBodies(&event, &about, entry, db) }
            try excuse(event, entry, isGone: about.deletion != nil || withdrawal != nil, db)
        }
        guard let effective = found.effective, isMessage || event.header.kind.isNote else { return nil }
        let verdict = try verdict(on: event, entry, db)
        let wanted = withdrawal == .counts ? nil : try flags(verdict, about, db)
        let present = try messages.flags(event.id, effective: effective, entry: entry)
        try replace(present, with: wanted, event, effective, entry)
        if !isMessage { try relabel(event, verdict, effective, entry, db) }
        // A note says the same as long as it is there.
        guard outcome.gathers, present != wanted || (isMessage && wanted != nil) else { return nil }
        return Settled(entry: entry, event: event, effective: effective, hadRow: present != nil, flags: wanted)
    }

    private func read(_ settled: Settled, _ db: Database) throws -> ShownMessage? {
        guard let flags = settled.flags else { return nil }
        let branches = try branches(of: settled.entry.key.conversation, db)
        let content = try MessageReader(db, conversation: settled.entry.conversationRow, branches: branches)
            .content(settled.event, flags: flags, log: settled.entry.row)
        return ShownMessage(settled.event, effective: settled.effective, content: content)
    }

    /// The flags of the row that an event should have; `nil` for none.
    private func flags(
        _ verdict: Projector.Verdict,
        _ about: About,
        _ db: Database
    ) throws -> MessageTable.Flags? {
        var flags: MessageTable.Flags = about.hasWeight ? .about : []
        switch verdict {
        case .note: return .note
        case .message(_, var mentions):
            if let edit = about.lastEdit, let text = try MessageReader.text(of: edit, db) { mentions = text.mentions }
            if mentions.contains(identity) { flags.insert(.mention) }
            return flags
        // Its text is gone, so nobody can say any more whether it was one to show.
        case .nothing where about.deletion != nil: return flags.union(.deleted)
        default: return nil
        }
    }

    private func replace(
        _ present: MessageTable.Flags?,
        with wanted: MessageTable.Flags?,
        _ event: StoredEvent,
        _ effective: UInt64,
        _ entry: LogEntry
    ) throws {
        guard present != wanted else { return }
        let sequence = event.header.sequence
        if let present { entry.count(present, at: sequence, by: -1) }
        if let wanted { entry.count(wanted, at: sequence, by: 1) }
        markDirty(entry)
        switch (present, wanted) {
        case (_?, let wanted?): try messages.setFlags(wanted, of: event.id, effective: effective, entry: entry)
        case (nil, let wanted?):
            try messages.insert(event.id, effective: effective, entry: entry, sequence: sequence, flags: wanted)
        case (_?, nil): try messages.delete(event.id, effective: effective, entry: entry)
        case (nil, nil): break
        }
    }
}

// Titles and topics.
extension Writer {
    /// Keeps the title or topic that a note gives.
    func label(
        _ event: StoredEvent,
        _ note: GroupNote,
        _ effective: UInt64,
        _ entry: LogEntry,
        _ db: Database
    ) throws {
        guard entry.group != nil, let text = note.label else { return }
        try rememberLabel(entry, db)
        try labels.save(text, event, effective: effective, conversationRow: entry.conversationRow)
    }

    private func relabel(
        _ event: StoredEvent,
        _ verdict: Projector.Verdict,
        _ effective: UInt64,
        _ entry: LogEntry,
        _ db: Database
    ) throws {
        if case .note(let note) = verdict { return try label(event, note, effective, entry, db) }
        guard entry.group != nil else { return }
        try rememberLabel(entry, db)
        try labels.delete(event, effective: effective, conversationRow: entry.conversationRow)
    }

    private func rememberLabel(_ entry: LogEntry, _ db: Database) throws {
        let (id, row) = (entry.key.conversation, entry.conversationRow)
        guard outcome.gathers, outcome.labels[id] == nil else { return }
        outcome.labels[id] = (try LabelTable.label(of: id, row, db), row)
    }
}

extension GroupNote {
    /// What the group, or its topic, is called from then on.
    fileprivate var label: String? {
        switch self {
        case .created(let text, _), .renamed(let text), .topic(let text): text
        default: nil
        }
    }
}

extension EventKind {
    /// Whether it can be shown as a line that says how the group changed.
    fileprivate var isNote: Bool { isMembership || self == .title || self == .topic }
}
