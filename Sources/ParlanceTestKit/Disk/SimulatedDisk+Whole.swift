import ParlanceCore
import ParlanceWire

// Everything that people see of a conversation, made again from its events: the plain statement of the rules, with
// which the real store is compared.
extension SimulatedDisk {
    /// Makes it again and returns what has changed.
    mutating func reproject(
        _ conversation: ConversationID,
        _ changed: Changed,
        _ receipt: inout PersistReceipt
    ) {
        let keys = logs.keys.filter { $0.conversation == conversation }.sorted { $0.log < $1.log }
        returnBodies(of: keys)
        let picture = picture(of: keys)
        dropBodies(picture)
        tellMissing(picture, keys, changed.missing, &receipt)
        tellLabel(picture, conversation, &receipt)
        tellLifetime(picture, conversation, &receipt)
        var lines = picture.lines { line($0.event, $0.key, $0.effective, $1) }
        for note in forkNotes(keys) { lines[note.id] = note }
        let before = shown[conversation] ?? [:]
        // A message that arrived in this batch and was shown is told once, in its present form.
        let fresh = Set(receipt.shown.filter { $0.conversation == conversation }.map(\.id))
        receipt.shown.removeAll { $0.conversation == conversation }
        // After a fork every change is told.
        let told = changed.forked.isEmpty ? picture.lastAnswers : nil
        for message in lines.values.sorted(by: { ($0.effective, $0.id) < ($1.effective, $1.id) }) {
            if before[message.id] == nil || fresh.contains(message.id) {
                receipt.shown.append(message)
            } else if let old = before[message.id], old != message,
                old.withoutQuotation != message.withoutQuotation || told?.contains(message.id) ?? true
            {
                receipt.changed.append(message)
            }
        }
        for id in before.keys.sorted() where lines[id] == nil && !fresh.contains(id) {
            if !noteRemoved(id, picture, &receipt) { receipt.withdrawn.append(id) }
        }
        shown[conversation] = lines
    }

    private func picture(of keys: [LogKey]) -> Picture {
        var picture = Picture()
        for key in keys {
            guard let log = logs[key] else { continue }
            for index in log.effective.indices {
                let event = log.events[index]
                var entry = Picture.Entry(event: event, key: key, effective: log.effective[index], verdict: .nothing)
                entry.verdict = verdict(of: index, key)
                entry.isRemoved = event.header.kind == .message && event.header.sequence <= log.floor
                entry.target = message(target(of: event, key)?.event)
                if case .withdraw(let sequence) = entry.verdict { entry.target = withdrawn(sequence, key) }
                picture.entries.append(entry)
            }
        }
        picture.sort()
        return picture
    }

    private func message(_ event: StoredEvent?) -> EventID? {
        event?.header.kind == .message ? event?.id : nil
    }

    /// The message at a position of a log, or of the log from which it forks.
    private func withdrawn(_ sequence: UInt64, _ key: LogKey) -> EventID? {
        message(event(at: sequence, of: key))
    }

    /// One line for each log that is known to be forked: before the first event of its branches.
    private func forkNotes(_ keys: [LogKey]) -> [ShownMessage] {
        let parents = Set(keys.compactMap { logs[$0]?.parent })
        return parents.sorted().compactMap { parent in
            let firsts = keys.compactMap { key -> (effective: UInt64, event: StoredEvent, base: LogPosition)? in
                guard let log = logs[key], log.parent == parent, let effective = log.effective.first else { return nil }
                return (effective, log.events[0], log.base)
            }
            guard firsts.count > 1,
                let first = firsts.min(by: { ($0.effective, $0.event.id) < ($1.effective, $1.event.id) })
            else { return nil }
            return ShownMessage(
                id: ShownMessage.forkNote(of: parent, at: first.base),
                conversation: first.event.header.conversation,
                log: first.event.log,
                sequence: first.event.header.sequence,
                time: first.event.writtenTime,
                effective: first.effective,
                content: .note(.forked)
            )
        }
    }

    /// Puts back what was withheld, as if no deletion had ever counted; of events that are not applied only messages,
    /// since it is not known yet what an edit is about.
    private mutating func returnBodies(of keys: [LogKey]) {
        guard !withheld.isEmpty else { return }
        for key in keys {
            guard let log = logs[key] else { continue }
            for (index, event) in log.events.enumerated() {
                guard let text = withheld[event.id], index < log.effective.count || event.header.kind == .message else {
                    continue
                }
                if event.header.sequence <= log.floor {
                    withheld[event.id] = nil
                    continue
                }
                logs[key]?.events[index].body = text.body
                if index >= log.effective.count { withheld[event.id] = nil }
            }
        }
    }

    private mutating func dropBodies(_ picture: Picture) {
        for entry in picture.entries {
            let id = entry.event.id
            guard picture.isTakenAway(entry) else {
                withheld[id] = nil
                continue
            }
            guard let index = logs[entry.key]?.index(of: entry.event.header.sequence) else { continue }
            if picture.isTakenAwayForGood(entry) || entry.event.header.sequence <= logs[entry.key]?.floor ?? 0 {
                withheld[id] = nil
            } else if let body = entry.event.body, withheld[id] == nil {
                withheld[id] = Withheld(body: body, since: wall)
            }
            logs[entry.key]?.events[index].body = nil
        }
    }

    private mutating func tellMissing(
        _ picture: Picture,
        _ keys: [LogKey],
        _ before: [LogKey: [UInt64]],
        _ receipt: inout PersistReceipt
    ) {
        let gone = picture.deleted.union(keys.flatMap { takenBack(in: $0) })
        for key in keys {
            let floor = logs[key]?.floor ?? 0
            let missing = (logs[key]?.events ?? []).filter { event in
                guard event.body == nil, event.header.sequence > floor else { return false }
                switch event.header.kind {
                case .message: return !gone.contains(event.id)
                case .edit: return !(message(target(of: event, key)?.event).map { gone.contains($0) } ?? false)
                default: return false
                }
            }
            let sequences = missing.map(\.header.sequence)
            logs[key]?.missing = sequences
            guard sequences != before[key] ?? [] else { continue }
            receipt.missing.append(
                MissingBodies(conversation: key.conversation, log: key.log, sequences: sequences)
            )
        }
    }

    /// The messages that withdrawals name: here a withdrawal counts as soon as it is held.
    private func takenBack(in key: LogKey) -> [EventID] {
        (logs[key]?.events ?? []).compactMap { event in
            guard case .withdraw(let sequence) = Projector.judge(event, after: nil) else { return nil }
            return withdrawn(sequence, key)
        }
    }

    private mutating func tellLabel(
        _ picture: Picture,
        _ conversation: ConversationID,
        _ receipt: inout PersistReceipt
    ) {
        guard memberships[conversation] != nil else { return }
        var created = ""
        var title: String?
        var topic = ""
        for entry in picture.entries {
            switch entry.verdict {
            case .note(.created(let text, _)): created = text
            case .note(.renamed(let text)): title = text
            case .note(.topic(let text)): topic = text
            default: break
            }
        }
        let label = GroupLabel(conversation: conversation, title: title ?? created, topic: topic)
        guard self.label(of: conversation) != label else { return }
        labels[conversation] = label
        receipt.labels.append(label)
    }

    private mutating func tellLifetime(
        _ picture: Picture,
        _ conversation: ConversationID,
        _ receipt: inout PersistReceipt
    ) {
        var terms = LifetimeTerms(conversation: conversation)
        for entry in picture.entries {
            guard case .note(.lifetime(let seconds)) = entry.verdict else { continue }
            let lifetime = Lifetime(seconds: seconds, effective: entry.effective, id: entry.event.id)
            if entry.key.log.author == identity { terms.own = lifetime } else { terms.others = lifetime }
        }
        guard lifetimes[conversation] ?? LifetimeTerms(conversation: conversation) != terms else { return }
        lifetimes[conversation] = terms
        receipt.lifetimes.append(terms)
    }

    /// The title of a group; empty if no applied event gives it.
    func label(of group: ConversationID) -> GroupLabel {
        labels[group] ?? GroupLabel(conversation: group, title: "", topic: "")
    }
}

/// The events of a conversation with their verdicts, in the order shown.
struct Picture {
    struct Entry {
        let event: StoredEvent
        let key: LogKey
        let effective: UInt64
        var verdict: Projector.Verdict
        /// The message that it is about, or that it withdraws; `nil` if there is none.
        var target: EventID?
        /// Whether it is a message whose text was removed because of its age.
        var isRemoved = false
    }

    var entries: [Entry] = []
    private(set) var messages: [EventID: Entry] = [:]
    private var withdrawn: Set<EventID> = []
    private var deletions: [EventID: RichMessage.Deletion] = [:]
    private var deletedByAuthor: Set<EventID> = []
    private var edits: [EventID: [MessageText]] = [:]
    /// How many edits of a message count, whether or not their texts are held.
    private var editCounts: [EventID: Int] = [:]
    /// The same once their texts are gone: then it can no longer be decided whether the texts broke a rule.
    private var goneEditCounts: [EventID: Int] = [:]
    private var reactions: [EventID: [(emoji: String, member: PeerID, removed: Bool)]] = [:]

    /// The messages for which a deletion counts.
    var deleted: Set<EventID> { Set(deletions.keys) }

    mutating func sort() {
        entries.sort { ($0.effective, $0.event.id) < ($1.effective, $1.event.id) }
        for entry in entries where entry.event.header.kind == .message { messages[entry.event.id] = entry }
        for entry in entries {
            guard let target = entry.target else { continue }
            let author = entry.event.header.log.author
            if entry.event.header.kind == .edit {
                if !entry.verdict.isVoid { editCounts[target, default: 0] += 1 }
                if !entry.verdict.isVoid || entry.verdict.isVoidByText { goneEditCounts[target, default: 0] += 1 }
            }
            switch entry.verdict {
            case .withdraw: withdrawn.insert(target)
            case .delete:
                let deletion = RichMessage.Deletion(author: author, time: entry.event.writtenTime)
                if deletions[target] == nil { deletions[target] = deletion }
                if messages[target]?.event.header.log.author == author { deletedByAuthor.insert(target) }
            case .edit(let text): edits[target, default: []].append(text)
            case .reaction(let emoji, let removed): reactions[target, default: []].append((emoji, author, removed))
            default: break
            }
        }
    }

    /// The last answers to each message: they are told when the message that they quote changes.
    var lastAnswers: Set<EventID> {
        var counts: [EventID: Int] = [:]
        var found: Set<EventID> = []
        for entry in entries.reversed() where entry.event.header.kind == .message {
            guard let target = entry.target else { continue }
            counts[target, default: 0] += 1
            if counts[target, default: 0] <= Limits.answersTold { found.insert(entry.event.id) }
        }
        return found
    }

    /// Whether a deletion or withdrawal removes the text of an event.
    func isTakenAway(_ entry: Entry) -> Bool {
        switch entry.event.header.kind {
        case .message: withdrawn.contains(entry.event.id) || deletions[entry.event.id] != nil
        case .edit: entry.target.map { deletions[$0] != nil || withdrawn.contains($0) } == true
        default: false
        }
    }

    /// Whether that can never become void: the author removed it.
    func isTakenAwayForGood(_ entry: Entry) -> Bool {
        let message = entry.event.header.kind == .message ? entry.event.id : entry.target
        return message.map { withdrawn.contains($0) || deletedByAuthor.contains($0) } == true
    }

    func lines(_ line: (Entry, ShownMessage.Content) -> ShownMessage) -> [EventID: ShownMessage] {
        var lines: [EventID: ShownMessage] = [:]
        for entry in entries {
            if case .note(let note) = entry.verdict { lines[entry.event.id] = line(entry, .note(note)) }
            if let content = content(of: entry) { lines[entry.event.id] = line(entry, content) }
        }
        return lines
    }

    private func content(of entry: Entry) -> ShownMessage.Content? {
        let id = entry.event.id
        guard entry.event.header.kind == .message, !withdrawn.contains(id), !entry.isRemoved else { return nil }
        // Rules that need the text are not checked: the text may be gone.
        if entry.verdict == .void(.notMember) || entry.verdict == .void(.timeNotAfterPredecessor) { return nil }
        if let deletion = deletions[id] {
            var rich = RichMessage(text: "")
            rich.deletion = deletion
            rich.versions = 1 + goneEditCounts[id, default: 0]
            return .rich(rich)
        }
        guard case .message(let content) = entry.verdict else { return nil }
        let versions = edits[id] ?? []
        var rich = RichMessage(text: versions.last?.text ?? content.text)
        rich.mentions = versions.last?.mentions ?? content.mentions
        rich.files = content.files
        rich.versions = 1 + editCounts[id, default: 0]
        rich.reactions = standing(reactions[id] ?? [])
        if let target = entry.event.header.target, entry.target != nil {
            rich.quote = RichMessage.Quote(message: target, text: quoted(target))
        }
        return rich == RichMessage(text: rich.text) ? .text(rich.text) : .rich(rich)
    }

    /// The last reaction of each member with each emoji wins, and gives its position in the order.
    private func standing(_ all: [(emoji: String, member: PeerID, removed: Bool)]) -> [RichMessage.Reaction] {
        var last: [(emoji: String, member: PeerID)] = []
        for one in all {
            last.removeAll { $0.member == one.member && Array($0.emoji.utf8) == Array(one.emoji.utf8) }
            if !one.removed { last.append((one.emoji, one.member)) }
        }
        var found: [RichMessage.Reaction] = []
        for (emoji, member) in last {
            if let place = found.firstIndex(where: { Array($0.emoji.utf8) == Array(emoji.utf8) }) {
                found[place].members.append(member)
            } else {
                found.append(RichMessage.Reaction(emoji: emoji, members: [member]))
            }
        }
        return found
    }

    private func quoted(_ target: EventReference) -> String {
        guard let entry = messages[target.id], !entry.isRemoved, !withdrawn.contains(target.id),
            deletions[target.id] == nil,
            case .message(let content) = entry.verdict
        else { return "" }
        let text = edits[target.id]?.last?.text ?? content.text
        return MessageText(text, files: content.files).preview.prefix(utf8: Limits.previewBytes)
    }
}

extension Projector.Verdict {
    var isVoid: Bool { if case .void = self { true } else { false } }

    fileprivate var isVoidByText: Bool {
        guard case .void(let reason) = self else { return false }
        return [.bodyTooLarge, .malformedBody, .textTooLarge, .blankText].contains(reason)
    }
}
