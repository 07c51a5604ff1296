package import ParlanceRecords
package import ParlanceWire

// What notes set: titles and topics of groups (groups.md, "Titles and topics"), and how long messages stay (events.md,
// "Disappearing messages").
extension HistoryReading {
    /// The title and topic of a group; empty if no applied event sets one.
    package func label(of id: ConversationID, _ row: Int64) throws -> GroupLabel {
        let title = try lastLabel(.title, conversationRow: row) ?? lastLabel(.create, conversationRow: row)
        let topic = try lastLabel(.topic, conversationRow: row)
        return GroupLabel(conversation: id, title: title ?? "", topic: topic ?? "")
    }

    /// What was said of how long messages stay.
    package func lifetime(of id: ConversationID, _ row: Int64) throws -> LifetimeTerms {
        LifetimeTerms(
            conversation: id,
            own: try lastLifetime(isOwn: true, conversationRow: row),
            others: try lastLifetime(isOwn: false, conversationRow: row)
        )
    }
}

extension History {
    /// Saves what a note sets.
    func save(
        _ note: GroupNote,
        of event: StoredEvent,
        _ effective: UInt64,
        _ entry: LogProgress,
        _ outcome: inout Outcome
    ) throws {
        if case .lifetime(let seconds) = note {
            try rememberLifetime(entry, &outcome)
            try tables.saveLifetime(seconds, event, effective: effective, entry)
        } else if entry.group != nil, let text = note.label {
            try rememberLabel(entry, &outcome)
            try tables.saveLabel(text, event, effective: effective, conversationRow: entry.conversationRow)
        }
    }

    /// Saves what a note sets, or removes it if the event is void.
    func resave(
        _ event: StoredEvent,
        _ verdict: Projector.Verdict,
        _ effective: UInt64,
        _ entry: LogProgress,
        _ outcome: inout Outcome
    ) throws {
        if case .note(let note) = verdict { return try save(note, of: event, effective, entry, &outcome) }
        if event.header.kind == .lifetime {
            try rememberLifetime(entry, &outcome)
            try tables.deleteLifetime(event, effective: effective, entry)
        } else if entry.group != nil {
            try rememberLabel(entry, &outcome)
            try tables.deleteLabel(event, effective: effective, conversationRow: entry.conversationRow)
        }
    }

    private func rememberLabel(_ entry: LogProgress, _ outcome: inout Outcome) throws {
        let (id, row) = (entry.key.conversation, entry.conversationRow)
        guard outcome.gathers, outcome.labels[id] == nil else { return }
        outcome.labels[id] = (try tables.label(of: id, row), row)
    }

    private func rememberLifetime(_ entry: LogProgress, _ outcome: inout Outcome) throws {
        let (id, row) = (entry.key.conversation, entry.conversationRow)
        guard outcome.gathers, outcome.lifetimes[id] == nil else { return }
        outcome.lifetimes[id] = (try tables.lifetime(of: id, row), row)
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
