package import ParlanceRecords
import ParlanceWire

// What is done to a message (events.md, "What is done to a message"): touched messages are examined again at the end of a
// transaction, so that what is shown follows from everything held, whatever the order of arrival.
extension History {
    /// Marks a message or note to be examined again. Call it before the change: it remembers what was shown.
    func touch(_ entry: LogProgress, _ sequence: UInt64, _ outcome: inout Outcome) throws {
        guard outcome.touch(entry, sequence) else { return }
        try tables.willChange(entry, sequence)
        guard outcome.gathers, let found = try held(sequence, entry) else { return }
        outcome.before[Place(log: entry.row, sequence: sequence)] = try line(found) ?? voidLine(found)
    }

    /// The present form in which an event is shown.
    private func line(_ held: Held) throws -> ShownMessage? {
        guard let effective = held.effective,
            let flags = try tables.flags(
                of: held.event.id,
                effective: effective,
                conversationRow: held.entry.conversationRow
            )
        else { return nil }
        let content = try reader(of: held.entry.key.conversation)
            .content(held.event, flags: flags, log: held.entry.row)
        return ShownMessage(held.event, effective: effective, content: content)
    }

    private func voidLine(_ held: Held) throws -> ShownMessage? {
        guard let effective = held.effective else { return nil }
        return try voidLine(held.event, effective: effective, held.entry)
    }

    /// The form in which the user sees a message of theirs that has no line: it does not count, and was not taken back
    /// (groups.md, "Being removed").
    func voidLine(_ event: StoredEvent, effective: UInt64, _ entry: LogProgress) throws -> ShownMessage? {
        guard event.header.kind == .message, event.header.log.author == identity, event.body != nil,
            try tables.withdrawal(log: entry.row, sequence: event.header.sequence) == nil
        else { return nil }
        let content = try reader(of: entry.key.conversation).content(event, flags: [], log: entry.row)
        var line = ShownMessage(event, effective: effective, content: content)
        line.isVoid = true
        return line
    }

    /// Saves what an edit, deletion, reaction or answer does to the message that it is about.
    func relate(
        _ event: StoredEvent,
        _ verdict: Projector.Verdict,
        effective: UInt64,
        _ entry: LogProgress,
        _ outcome: inout Outcome
    ) throws {
        guard let found = try target(of: event.header, entry), found.event.header.kind == .message else { return }
        let (other, sequence) = (found.entry, found.event.header.sequence)
        if event.header.kind.needsTarget { try touch(other, sequence, &outcome) }
        let header = event.header
        var emoji: [UInt8]?
        if case .reaction(let text, _) = verdict { emoji = Array(text.utf8) }
        try tables.saveAbout(
            AboutRow(
                target: Place(log: other.row, sequence: sequence),
                event: event.id,
                effective: effective,
                by: Place(log: entry.row, sequence: header.sequence),
                kind: header.kind,
                // An answer does nothing to the message.
                state: header.kind == .message ? .void : About.State(verdict),
                emoji: emoji
            )
        )
    }

    /// Marks the message that an event is about to be examined again.
    func touchTarget(of event: StoredEvent, _ entry: LogProgress, _ outcome: inout Outcome) throws {
        guard let found = try target(of: event.header, entry) else { return }
        try touch(found.entry, found.event.header.sequence, &outcome)
    }

    /// Updates rows, bodies and counts of everything touched.
    package func settle(_ outcome: inout Outcome) throws -> PersistReceipt {
        try settleForks(&outcome)
        var next = 0
        var all: [Held] = []
        while next < outcome.touched.count {
            let (entry, sequence) = outcome.touched[next]
            if let settled = try settle(entry, sequence, &outcome) { all.append(settled) }
            next += 1
        }
        try tables.haveChanged()
        // A message may quote another one, so write all rows first.
        if outcome.gathers {
            let answers = try all.flatMap { try tell($0, &outcome) }
            for answer in answers { try retell(answer, &outcome) }
        }
        var receipt = outcome.receipt()
        for (entry, before) in outcome.missing.sorted(by: { $0.key < $1.key }).map(\.value) {
            let sequences = try tables.missing(log: entry.row)
            guard sequences != before else { continue }
            receipt.missing.append(
                MissingBodies(conversation: entry.key.conversation, log: entry.key.log, sequences: sequences)
            )
        }
        for (id, label) in outcome.labels.sorted(by: { $0.key < $1.key }) {
            let now = try tables.label(of: id, label.row)
            if now != label.before { receipt.labels.append(now) }
        }
        for (id, lifetime) in outcome.lifetimes.sorted(by: { $0.key < $1.key }) {
            let now = try tables.lifetime(of: id, lifetime.row)
            if now != lifetime.before { receipt.lifetimes.append(now) }
        }
        return receipt
    }

    /// Reports a changed line.
    ///
    /// - Returns: the places of the latest answers that quote it, if its quoted text changed.
    private func tell(_ held: Held, _ outcome: inout Outcome) throws -> [Place] {
        let sequence = held.event.header.sequence
        let place = Place(log: held.entry.row, sequence: sequence)
        let before = outcome.before[place]
        let now = try line(held) ?? voidLine(held)
        let (wasShown, wasVoid) = (before?.isVoid == false, before?.isVoid == true)
        // Changes of the quoted message are reported with that message.
        let isSame = now?.withoutQuotation == before?.withoutQuotation
        if held.event.header.kind == .message, sequence <= held.entry.floor {
            if wasShown { outcome.removed(held.event.id, from: held.entry) }
        } else {
            outcome.settled(held.event.id, wasShown: wasShown, wasVoid: wasVoid, isSame: isSame, now: now)
        }
        guard held.event.header.kind == .message, before?.quotation ?? "" != now?.quotation ?? "" else { return [] }
        return try tables.answers(to: place, last: Limits.answersTold)
    }

    /// Reports an answer whose quotation changed, although the answer itself may be untouched.
    private func retell(_ answer: Place, _ outcome: inout Outcome) throws {
        guard let key = try tables.logKey(of: answer.log), let entry = try existingEntry(key),
            let found = try held(answer.sequence, entry), let now = try line(found), now.rich?.quote != nil
        else { return }
        outcome.settled(now.id, wasShown: true, now: now)
    }

    /// - Returns: the event, if it can be shown.
    private func settle(_ entry: LogProgress, _ sequence: UInt64, _ outcome: inout Outcome) throws -> Held? {
        guard let found = try held(sequence, entry) else { return nil }
        var event = found.event
        let isMessage = event.header.kind == .message
        var about = Annotations()
        var withdrawal: Withdrawal?
        let isRemoved = isMessage && sequence <= entry.floor
        if isMessage {
            about = try Annotations(Place(log: entry.row, sequence: sequence), tables)
            withdrawal = try tables.withdrawal(log: entry.row, sequence: sequence)
            if about.deletion != nil || withdrawal == .counts {
                let isFinal = try withdrawal == .counts || isDeletedByAuthor(event, entry)
                try dropBodies(&event, &about, entry, isFinal: isFinal, &outcome)
            } else {
                try returnBodies(&event, &about, entry, &outcome)
            }
            if isRemoved { try removeBody(&event, entry) }
            try excuse(event, entry, isGone: about.deletion != nil || withdrawal != nil, &outcome)
        }
        guard let effective = found.effective, isMessage || event.header.kind.isNote else { return nil }
        let verdict = try verdict(on: event, entry)
        let wanted = withdrawal == .counts || isRemoved ? nil : try flags(verdict, about)
        let present = try tables.flags(of: event.id, effective: effective, conversationRow: entry.conversationRow)
        try replace(present, with: wanted, event, effective, entry, &outcome)
        if wanted?.contains(.files) == true, present?.contains(.files) != true, case .message(let message) = verdict {
            try tables.insertFiles(message.files, log: entry.row, sequence: sequence)
        } else if present?.contains(.files) == true, wanted?.contains(.files) != true {
            try tables.deleteFiles(log: entry.row, sequence: sequence)
        }
        if !isMessage { try resave(event, verdict, effective, entry, &outcome) }
        return Held(entry: entry, event: event, effective: effective)
    }

    /// Whether a message is deleted by its own author. Such a deletion is final; an admin's may lose its right when
    /// membership events come later (events.md, "Bodies that are gone").
    private func isDeletedByAuthor(_ event: StoredEvent, _ entry: LogProgress) throws -> Bool {
        let place = Place(log: entry.row, sequence: event.header.sequence)
        return try tables.deletion(of: place, by: event.header.log.author) != nil
    }

    /// The flags that an event's row should have; `nil` if it should have no row.
    private func flags(
        _ verdict: Projector.Verdict,
        _ about: Annotations
    ) throws -> LineFlags? {
        var flags: LineFlags = about.hasWeight ? .about : []
        switch verdict {
        case .note: return .note
        case .message(let message):
            var mentions = message.mentions
            if let edit = about.lastEdit, let text = try MessageReader.text(of: edit, tables) {
                mentions = text.mentions
            }
            if mentions.contains(identity) { flags.insert(.mention) }
            if !message.files.isEmpty { flags.insert(.files) }
            return flags
        // Without its text it is unknown whether it could be shown: keep a tombstone.
        case .nothing where about.deletion != nil: return flags.union(.deleted)
        default: return nil
        }
    }

    private func replace(
        _ present: LineFlags?,
        with wanted: LineFlags?,
        _ event: StoredEvent,
        _ effective: UInt64,
        _ entry: LogProgress,
        _ outcome: inout Outcome
    ) throws {
        guard present != wanted else { return }
        let sequence = event.header.sequence
        if let present { entry.count(present, at: sequence, by: -1) }
        if let wanted { entry.count(wanted, at: sequence, by: 1) }
        outcome.markDirty(entry)
        switch (present, wanted) {
        case (_?, let wanted?): try tables.setFlags(wanted, of: event.id, effective: effective, entry: entry)
        case (nil, let wanted?):
            try tables.insertLine(event.id, effective: effective, entry: entry, sequence: sequence, flags: wanted)
        case (_?, nil): try tables.deleteLine(event.id, effective: effective, entry: entry)
        case (nil, nil): break
        }
    }
}

extension ShownMessage {
    /// What answers quote: the beginning of the text, or of the name of the first file. Nobody quotes what does not count.
    fileprivate var quotation: String { isVoid ? "" : preview.prefix(utf8: Limits.previewBytes) }
}

extension EventKind {
    /// Whether it can be shown as a line of its own that is no message.
    fileprivate var isNote: Bool { isMembership || self == .title || self == .topic || self == .lifetime }
}
