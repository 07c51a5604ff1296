import ParlanceCore
import ParlanceWire

// All that people see of a conversation, made anew from its events: the plain statement of the rules, to which the real
// store is held.
extension SimulatedDisk {
    /// Makes it anew and says what is other than before.
    mutating func reproject(_ conversation: ConversationID, _ receipt: inout PersistReceipt) {
        var picture = Picture()
        let keys = logs.keys.filter { $0.conversation == conversation }.sorted { $0.log < $1.log }
        for key in keys {
            guard let log = logs[key] else { continue }
            if let parent = log.parent { picture.parents[key.log] = (parent, log.base.sequence) }
            for index in log.effective.indices {
                let verdict = verdict(of: index, key)
                picture.entries.append(
                    Picture.Entry(event: log.events[index], key: key, effective: log.effective[index], verdict: verdict)
                )
            }
        }
        picture.sort()
        dropBodies(picture, keys)
        tellMissing(picture, keys, &receipt)
        tellLabel(picture, conversation, &receipt)
        var lines = picture.lines { line($0.event, $0.key, $0.effective, $1) }
        for note in forkNotes(keys) { lines[note.id] = note }
        let before = shown[conversation] ?? [:]
        // What came within this batch and was shown plainly is told once, as it is now.
        let fresh = Set(receipt.shown.filter { $0.conversation == conversation }.map(\.id))
        receipt.shown.removeAll { $0.conversation == conversation }
        for message in lines.values.sorted(by: { ($0.effective, $0.id) < ($1.effective, $1.id) }) {
            if before[message.id] == nil || fresh.contains(message.id) {
                receipt.shown.append(message)
            } else if before[message.id] != message {
                receipt.changed.append(message)
            }
        }
        for id in before.keys.sorted() where lines[id] == nil && !fresh.contains(id) { receipt.withdrawn.append(id) }
        shown[conversation] = lines
    }

    /// One line for each log that is seen to part: before the first event of its branches.
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
                time: first.event.header.time,
                effective: first.effective,
                content: .note(.forked)
            )
        }
    }

    private mutating func dropBodies(_ picture: Picture, _ keys: [LogKey]) {
        for entry in picture.entries where picture.isTakenAway(entry) {
            guard let index = logs[entry.key]?.index(of: entry.event.header.sequence) else { continue }
            logs[entry.key]?.events[index].body = nil
        }
    }

    private mutating func tellMissing(_ picture: Picture, _ keys: [LogKey], _ receipt: inout PersistReceipt) {
        let taken = Set(picture.entries.filter { picture.isTakenAway($0) }.map(\.event.id))
        for key in keys {
            guard let log = logs[key] else { continue }
            // A withdrawal counts as soon as it is held.
            let below = keys.filter { $0 == key || logs[$0].map { $0.parent == key.log } == true }
            let withdrawn = Set(
                below.flatMap { logs[$0]?.events ?? [] }.compactMap { event -> UInt64? in
                    guard case .withdraw(let sequence) = Projector.judge(event, after: nil) else { return nil }
                    return sequence
                }
            )
            let missing = log.events.filter { event in
                event.body == nil && (event.header.kind == .message || event.header.kind == .edit)
                    && !taken.contains(event.id)
                    && !(event.header.kind == .message && withdrawn.contains(event.header.sequence))
            }
            let sequences = missing.map(\.header.sequence)
            guard sequences != log.missing else { continue }
            logs[key]?.missing = sequences
            receipt.missing.append(
                MissingBodies(conversation: key.conversation, log: key.log, sequences: sequences)
            )
        }
    }

    private mutating func tellLabel(
        _ picture: Picture,
        _ conversation: ConversationID,
        _ receipt: inout PersistReceipt
    ) {
        guard let membership = memberships[conversation] else { return }
        var label = GroupLabel(conversation: conversation, title: membership.title, topic: "")
        for entry in picture.entries {
            guard case .note(let note) = entry.verdict else { continue }
            if case .created(let title, _) = note { label.title = title }
            if case .renamed(let title) = note { label.title = title }
            if case .topic(let topic) = note { label.topic = topic }
        }
        guard labels[conversation] != label else { return }
        labels[conversation] = label
        receipt.labels.append(label)
    }
}

/// The events of a conversation with what they come to, in the order shown.
private struct Picture {
    struct Entry {
        let event: StoredEvent
        let key: LogKey
        let effective: UInt64
        let verdict: Projector.Verdict
    }

    /// A place that an event can be about.
    struct Place: Hashable {
        let log: LogID
        let sequence: UInt64
    }

    var entries: [Entry] = []
    /// Of branches, what they part from and where.
    var parents: [LogID: (log: LogID, base: UInt64)] = [:]
    private var messages: [EventID: Entry] = [:]
    private var withdrawn: Set<EventID> = []
    private var deletions: [EventID: RichMessage.Deletion] = [:]
    /// How many texts a message has had, whether or not they are still here.
    private var versions: [EventID: Int] = [:]
    private var edits: [EventID: [(text: String, mentions: [PeerID])]] = [:]
    private var reactions: [EventID: [(emoji: String, member: PeerID, removed: Bool)]] = [:]

    mutating func sort() {
        entries.sort { ($0.effective, $0.event.id) < ($1.effective, $1.event.id) }
        var places: [Place: EventID] = [:]
        for entry in entries where entry.event.header.kind == .message {
            messages[entry.event.id] = entry
            places[Place(log: entry.key.log, sequence: entry.event.header.sequence)] = entry.event.id
        }
        for entry in entries {
            let author = entry.event.header.log.author
            if case .withdraw(let sequence) = entry.verdict, let id = place(of: sequence, in: entry.key.log, places) {
                withdrawn.insert(id)
            }
            guard let target = entry.event.header.target, let other = messages[target.id],
                other.event.header.sequence == target.sequence,
                other.key.log == target.log || other.event.header.log == target.log
            else { continue }
            if entry.event.header.kind == .edit {
                if case .void = entry.verdict {} else { versions[target.id, default: 1] += 1 }
            }
            switch entry.verdict {
            case .delete:
                let deletion = RichMessage.Deletion(author: author, time: entry.event.header.time)
                if deletions[target.id] == nil { deletions[target.id] = deletion }
            case .edit(let text, let mentions): edits[target.id, default: []].append((text, mentions))
            case .reaction(let emoji, let removed):
                reactions[target.id, default: []].append((emoji, author, removed))
            default: break
            }
        }
    }

    /// What a log's author wrote at a place, in that log or in what it has in common with others.
    private func place(of sequence: UInt64, in log: LogID, _ places: [Place: EventID]) -> EventID? {
        var log = log
        while let parent = parents[log], sequence <= parent.base { log = parent.log }
        return places[Place(log: log, sequence: sequence)]
    }

    /// Whether a deletion or withdrawal takes the text of an event away.
    func isTakenAway(_ entry: Entry) -> Bool {
        switch entry.event.header.kind {
        case .message: withdrawn.contains(entry.event.id) || deletions[entry.event.id] != nil
        case .edit:
            entry.event.header.target.map { $0.log.author == entry.key.log.author && deletions[$0.id] != nil } == true
        default: false
        }
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
        guard entry.event.header.kind == .message, !withdrawn.contains(id) else { return nil }
        // What only the text could tell is not asked: it may be gone.
        if entry.verdict == .void(.notMember) || entry.verdict == .void(.timeNotAfterPredecessor) { return nil }
        if let deletion = deletions[id] {
            var rich = RichMessage(text: "")
            rich.deletion = deletion
            rich.versions = versions[id] ?? 1
            return .rich(rich)
        }
        guard case .message(let text, let mentions) = entry.verdict else { return nil }
        let versions = edits[id] ?? []
        var rich = RichMessage(text: versions.last?.text ?? text)
        rich.mentions = versions.last?.mentions ?? mentions
        rich.versions = versions.count + 1
        rich.reactions = standing(reactions[id] ?? [])
        if let target = entry.event.header.target {
            rich.quote = RichMessage.Quote(message: target, text: quoted(target))
        }
        return rich == RichMessage(text: rich.text) ? .text(rich.text) : .rich(rich)
    }

    /// The last of each member and emoji wins; emoji in the order in which they came.
    private func standing(_ all: [(emoji: String, member: PeerID, removed: Bool)]) -> [RichMessage.Reaction] {
        var found: [RichMessage.Reaction] = []
        for one in all {
            let bytes = Array(one.emoji.utf8)
            let place = found.firstIndex { Array($0.emoji.utf8) == bytes }
            if one.removed {
                if let place { found[place].members.removeAll { $0 == one.member } }
            } else if let place {
                if !found[place].members.contains(one.member) { found[place].members.append(one.member) }
            } else {
                found.append(RichMessage.Reaction(emoji: one.emoji, members: [one.member]))
            }
        }
        return found.filter { !$0.members.isEmpty }
    }

    private func quoted(_ target: EventReference) -> String {
        guard let entry = messages[target.id], !withdrawn.contains(target.id), deletions[target.id] == nil,
            case .message(let text, _) = entry.verdict
        else { return "" }
        return (edits[target.id]?.last?.text ?? text).prefix(utf8: Limits.previewBytes)
    }
}
