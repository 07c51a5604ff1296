import GRDB
import ParlanceCore
import ParlanceWire

// What notes set: titles and topics of groups, and how long messages stay.
extension Writer {
    /// Saves what a note sets.
    func save(
        _ note: GroupNote,
        of event: StoredEvent,
        _ effective: UInt64,
        _ entry: LogEntry,
        _ outcome: inout Outcome,
        _ db: Database
    ) throws {
        if case .lifetime(let seconds) = note {
            try rememberLifetime(entry, &outcome, db)
            try lifetimes.save(seconds, event, effective: effective, entry)
        } else if entry.group != nil, let text = note.label {
            try rememberLabel(entry, &outcome, db)
            try labels.save(text, event, effective: effective, conversationRow: entry.conversationRow)
        }
    }

    /// Saves what a note sets, or removes it if the event is void.
    func resave(
        _ event: StoredEvent,
        _ verdict: Projector.Verdict,
        _ effective: UInt64,
        _ entry: LogEntry,
        _ outcome: inout Outcome,
        _ db: Database
    ) throws {
        if case .note(let note) = verdict { return try save(note, of: event, effective, entry, &outcome, db) }
        if event.header.kind == .lifetime {
            try rememberLifetime(entry, &outcome, db)
            try lifetimes.delete(event, effective: effective, entry)
        } else if entry.group != nil {
            try rememberLabel(entry, &outcome, db)
            try labels.delete(event, effective: effective, conversationRow: entry.conversationRow)
        }
    }

    private func rememberLabel(_ entry: LogEntry, _ outcome: inout Outcome, _ db: Database) throws {
        let (id, row) = (entry.key.conversation, entry.conversationRow)
        guard outcome.gathers, outcome.labels[id] == nil else { return }
        outcome.labels[id] = (try LabelTable.label(of: id, row, db), row)
    }

    private func rememberLifetime(_ entry: LogEntry, _ outcome: inout Outcome, _ db: Database) throws {
        let (id, row) = (entry.key.conversation, entry.conversationRow)
        guard outcome.gathers, outcome.lifetimes[id] == nil else { return }
        outcome.lifetimes[id] = (try LifetimeTable.terms(of: id, row, db), row)
    }
}

extension GroupNote {
    /// The title or topic that the note sets.
    fileprivate var label: String? {
        switch self {
        case .created(let text, _), .renamed(let text), .topic(let text): text
        default: nil
        }
    }
}
