package import ParlanceRecords
package import ParlanceWire

/// Reads the displayed form of an event that has a line.
package struct MessageReader {
    private let tables: any HistoryReading
    package let conversation: Int64
    package let branches: ForkTree
    /// Events that are not awaited any more: whatever refers to one is read as if it did not.
    private let givenUp: Set<EventID>

    /// - Parameter conversation: the row number of the conversation.
    package init(_ tables: any HistoryReading, conversation: Int64) throws {
        let branches = try tables.branches(conversationRow: conversation)
        // Where no log forks, nothing is ever given up.
        let givenUp = branches.isEmpty ? [] : try tables.givenUp(conversationRow: conversation)
        self.init(tables, conversation: conversation, branches: branches, givenUp: givenUp)
    }

    init(_ tables: any HistoryReading, conversation: Int64, branches: ForkTree, givenUp: Set<EventID>) {
        (self.tables, self.conversation, self.branches, self.givenUp) = (tables, conversation, branches, givenUp)
    }

    /// The displayed form of a line.
    ///
    /// - Parameters:
    ///   - id: the ID in the row.
    ///   - log: the row number of the log that contains the event.
    package func line(
        _ event: StoredEvent,
        id: EventID,
        flags: LineFlags,
        effective: UInt64,
        log: Int64
    ) throws -> ShownMessage {
        var event = event
        event.branch = branches.name(ofRow: log)
        guard !flags.contains(.fork) else { return ShownMessage(forkAt: event, id: id, effective: effective) }
        return ShownMessage(event, effective: effective, content: try content(event, flags: flags, log: log))
    }

    /// - Parameters:
    ///   - flags: the flags of the event's row.
    ///   - log: the row number of its log.
    package func content(_ event: StoredEvent, flags: LineFlags, log: Int64) throws -> ShownMessage.Content {
        let verdict = Projector.judge(event, after: nil, rights: .whole, isValidChange: true)
        if case .note(let note) = verdict { return .note(note) }
        var text = MessageText("")
        if case .message(let own) = verdict { text = own }
        guard
            !flags.isDisjoint(with: [.about, .deleted]) || event.header.target != nil || text != MessageText(text.text)
        else { return .text(text.text) }
        let about = try Annotations(Place(log: log, sequence: event.header.sequence), tables)
        var rich = RichMessage(text: "")
        rich.versions += about.versions.count
        if flags.contains(.deleted) {
            rich.deletion = try about.deletion.flatMap { try deletion($0) }
            return .rich(rich)
        }
        rich.files = text.files
        if let edit = about.lastEdit, let last = try Self.text(of: edit, tables) { text = last }
        rich.text = text.text
        rich.mentions = text.mentions
        rich.quote = try quote(of: event, log: log)
        rich.reactions = about.shownReactions
        return rich == RichMessage(text: text.text) ? .text(text.text) : .rich(rich)
    }

    private func deletion(_ event: About) throws -> RichMessage.Deletion? {
        guard let found = try tables.event(log: event.log, sequence: event.sequence)?.event else { return nil }
        return RichMessage.Deletion(author: event.author, time: found.writtenTime)
    }

    /// The present text of a message that is shown and not deleted.
    package static func presentText(
        of event: StoredEvent,
        flags: LineFlags,
        _ place: Place,
        _ tables: any HistoryReading
    )
        throws -> String?
    {
        if flags.contains(.about), let edit = try tables.lastEdit(of: place),
            let last = try text(of: edit, tables)
        {
            return last.text
        }
        guard case .message(let message) = Projector.judge(event, after: nil) else { return nil }
        return message.text
    }

    /// What search finds a message by that is shown and not deleted: its present text, and the names of its files.
    package static func searchedText(
        of event: StoredEvent,
        flags: LineFlags,
        _ place: Place,
        _ tables: any HistoryReading
    )
        throws -> String?
    {
        guard let text = try presentText(of: event, flags: flags, place, tables) else { return nil }
        guard flags.contains(.files), case .message(let own) = Projector.judge(event, after: nil) else { return text }
        return MessageText(text, files: own.files).searched
    }

    /// The text of an edit.
    package static func text(of edit: About, _ tables: any HistoryReading) throws -> MessageText? {
        guard let event = try tables.event(log: edit.log, sequence: edit.sequence)?.event,
            case .edit(let text) = Projector.judge(event, after: nil)
        else { return nil }
        return text
    }

    /// What a message answers, if the referenced event is a message.
    private func quote(of event: StoredEvent, log: Int64) throws -> RichMessage.Quote? {
        guard let target = event.header.target, target.log == event.header.log || !givenUp.contains(target.id) else {
            return nil
        }
        var names = holders(of: target)
        if target.log == event.header.log {
            // A target in the same log precedes the answer: it is in the same branch or in a parent.
            let name = branches.name(ofRow: log) ?? target.log
            names = [name] + branches.above(name)
        }
        guard let found = try find(target, in: names) else { return nil }
        guard let flags = found.flags, !flags.contains(.deleted) else {
            return RichMessage.Quote(message: target, text: "")
        }
        let place = Place(log: found.log, sequence: target.sequence)
        var text = MessageText(try Self.presentText(of: found.event, flags: flags, place, tables) ?? "")
        if flags.contains(.files), case .message(let own) = Projector.judge(found.event, after: nil) {
            text.files = own.files
        }
        return RichMessage.Quote(message: target, text: text.preview.prefix(utf8: Limits.previewBytes))
    }

    /// An applied event.
    package struct Found {
        package let event: StoredEvent
        package let log: Int64
        package let effective: UInt64
        /// `nil` if it is not shown.
        package let flags: LineFlags?
    }

    /// Finds an applied event by reference: a message, or with `notes` also a note.
    package func find(_ reference: EventReference, notes: Bool = false) throws -> Found? {
        try find(reference, in: holders(of: reference), notes: notes)
    }

    /// The logs that may contain the referenced event.
    private func holders(of reference: EventReference) -> [LogID] {
        let keeper = branches.keeper(of: reference.sequence, reference.log)
        return [keeper] + branches.below(keeper)
    }

    /// A held event, applied or not.
    package struct Held {
        package let event: StoredEvent
        /// The name and row number of the log that contains it.
        let name: LogID
        package let log: Int64
        package let effective: UInt64?

        var place: Place { Place(log: log, sequence: event.header.sequence) }
    }

    /// The event that a reference names: in the named log, in a parent of it, or in a branch.
    package func held(_ reference: EventReference) throws -> Held? {
        guard reference.sequence <= UInt64(Int64.max) else { return nil }
        for name in holders(of: reference) {
            if let held = try held(reference.sequence, name), held.event.id == reference.id { return held }
        }
        return nil
    }

    /// The event that another refers to; `nil` also if it was given up.
    package func named(_ reference: EventReference) throws -> Held? {
        givenUp.contains(reference.id) ? nil : try held(reference)
    }

    /// The event at a position of a log, which may be in a part shared with other branches.
    package func event(at sequence: UInt64, of log: LogID) throws -> StoredEvent? {
        try held(sequence, branches.keeper(of: sequence, log))?.event
    }

    package func held(_ sequence: UInt64, _ name: LogID) throws -> Held? {
        guard sequence <= UInt64(Int64.max), let row = try row(of: name),
            let found = try tables.event(log: row, sequence: sequence)
        else { return nil }
        return Held(event: found.event, name: name, log: row, effective: found.effective)
    }

    package func row(of log: LogID) throws -> Int64? { try tables.logRow(of: log, conversationRow: conversation) }

    /// The sequence of the first event in a range of a log whose header satisfies a condition.
    func first(
        in log: Int64,
        after: UInt64,
        through: UInt64,
        where fits: (EventHeader) throws -> Bool
    ) throws -> UInt64? {
        try tables.firstEvent(log: log, after: after, through: through, where: fits)
    }

    private func find(_ reference: EventReference, in names: [LogID], notes: Bool = false) throws -> Found? {
        guard reference.sequence <= UInt64(Int64.max) else { return nil }
        for name in names {
            guard let log = try tables.logRow(of: name, conversationRow: conversation),
                let found = try tables.event(log: log, sequence: reference.sequence),
                let effective = found.effective
            else { continue }
            guard found.event.id == reference.id else {
                // The line about a fork is at an event's place, but has an ID of its own.
                guard notes, branches.name(ofRow: log) != nil, let flags = try flags(of: reference.id, effective),
                    flags.contains(.fork)
                else { continue }
                return Found(event: found.event, log: log, effective: effective, flags: flags)
            }
            guard notes || found.event.header.kind == .message else { return nil }
            let flags = try flags(of: reference.id, effective)
            return Found(event: found.event, log: log, effective: effective, flags: flags)
        }
        return nil
    }

    /// The flags of a row of the conversation; `nil` if there is no such row.
    package func flags(of id: EventID, _ effective: UInt64) throws -> LineFlags? {
        try tables.flags(of: id, effective: effective, conversationRow: conversation)
    }
}
