package import ParlanceRecords
package import ParlanceWire

// Computes the lines that people see from the verdicts on the events.
extension PlainHistory {
    /// What was done to messages, by their positions.
    private struct Deeds {
        var withdrawn: Set<Int> = []
        var deletions: [Int: RichMessage.Deletion] = [:]
        var deletedByAuthor: Set<Int> = []
        var texts: [Int: [(text: String, mentions: [PeerID])]] = [:]
        /// Edits that count, and those that count or are void by their texts alone.
        var edits: [Int: (counting: Int, all: Int)] = [:]
        var reactions: [Int: [(emoji: String, member: PeerID)]] = [:]
    }

    /// The lines, in the order shown.
    package var lines: [ShownMessage] {
        let deeds = deeds
        var lines: [ShownMessage] = []
        for index in order {
            if case .note(let note) = meanings[index] {
                lines.append(line(index, .note(note)))
            } else if let content = content(of: index, deeds) {
                lines.append(line(index, content))
            }
        }
        let notes = forkNotes
        guard !notes.isEmpty else { return lines }
        return (lines + notes).sorted { ($0.effective, $0.id) < ($1.effective, $1.id) }
    }

    private var deeds: Deeds {
        var deeds = Deeds()
        for index in order {
            guard let meaning = meanings[index] else { continue }
            if case .withdraw(let sequence) = meaning {
                if let target = earlier(sequence, index), isMessage(target) { deeds.withdrawn.insert(target) }
                continue
            }
            guard let target = target(of: index), isMessage(target) else { continue }
            let author = events[index].header.log.author
            if events[index].header.kind == .edit { count(meaning, of: target, in: &deeds) }
            if case .delete = meaning, author == events[target].header.log.author {
                deeds.deletedByAuthor.insert(target)
            }
            switch meaning {
            case .delete where deeds.deletions[target] == nil:
                deeds.deletions[target] = RichMessage.Deletion(author: author, time: events[index].writtenTime)
            case .reaction(let emoji, let removed):
                // Of each member's reactions with one emoji, the last is shown.
                deeds.reactions[target, default: []].removeAll { other in
                    other.member == author && Array(other.emoji.utf8) == Array(emoji.utf8)
                }
                if !removed { deeds.reactions[target]?.append((emoji, author)) }
            default: break
            }
        }
        return deeds
    }

    private func count(_ edit: PlainMeaning, of target: Int, in deeds: inout Deeds) {
        var counts = deeds.edits[target] ?? (0, 0)
        switch edit {
        case .text(let text, let mentions, _):
            deeds.texts[target, default: []].append((text, mentions))
            counts = (counts.counting + 1, counts.all + 1)
        case .unknownText: counts = (counts.counting + 1, counts.all + 1)
        case .voidByText: counts.all += 1
        default: break
        }
        deeds.edits[target] = counts
    }

    private func isMessage(_ index: Int) -> Bool { events[index].header.kind == .message }

    private func line(_ index: Int, _ content: ShownMessage.Content) -> ShownMessage {
        let event = events[index]
        return ShownMessage(
            id: event.id,
            conversation: conversation,
            log: logs[index],
            sequence: event.header.sequence,
            time: event.writtenTime,
            effective: effective[index] ?? 0,
            content: content
        )
    }

    private func content(of index: Int, _ deeds: Deeds) -> ShownMessage.Content? {
        guard isMessage(index), !deeds.withdrawn.contains(index), !isRemoved(index), let meaning = meanings[index]
        else { return nil }
        if case .void = meaning { return nil }
        if let deletion = deeds.deletions[index] {
            var rich = RichMessage(text: "")
            rich.deletion = deletion
            rich.versions = 1 + (deeds.edits[index]?.all ?? 0)
            return .rich(rich)
        }
        guard case .text(let text, let mentions, let files) = meaning else { return nil }
        let last = deeds.texts[index]?.last
        var rich = RichMessage(text: last?.text ?? text)
        rich.mentions = last?.mentions ?? mentions
        rich.files = files
        rich.versions = 1 + (deeds.edits[index]?.counting ?? 0)
        for (emoji, member) in deeds.reactions[index] ?? [] {
            if let place = rich.reactions.firstIndex(where: { Array($0.emoji.utf8) == Array(emoji.utf8) }) {
                rich.reactions[place].members.append(member)
            } else {
                rich.reactions.append(RichMessage.Reaction(emoji: emoji, members: [member]))
            }
        }
        if let named = events[index].header.target, let answered = target(of: index), isMessage(answered) {
            rich.quote = RichMessage.Quote(message: named, text: quoted(answered, deeds))
        }
        return rich == RichMessage(text: rich.text) ? .text(rich.text) : .rich(rich)
    }

    /// The present text of a message, or the name of its first file; empty if it is not shown.
    private func quoted(_ index: Int, _ deeds: Deeds) -> String {
        guard !deeds.withdrawn.contains(index), !isRemoved(index), deeds.deletions[index] == nil,
            case .text(let first, _, let files) = meanings[index]
        else { return "" }
        let text = deeds.texts[index]?.last?.text ?? first
        let name = files.first.map { PlainFileName($0.name).text } ?? ""
        return TextRules.beginning(of: TextRules.isBlank(text) ? name : text, bytes: Limits.previewBytes)
    }

    /// One line for each position where a log forks, before the first event of its branches.
    private var forkNotes: [ShownMessage] {
        let firsts = order.filter { isFirstOfBranch($0) }
        let groups = Dictionary(grouping: firsts) { parent(of: $0) }
        return groups.compactMap { parent, branches in
            guard branches.count > 1, let first = branches.first else { return nil }
            let header = events[first].header
            let base = header.previous.map { LogPosition(sequence: header.sequence - 1, head: $0) } ?? .start
            var note = line(first, .note(.forked))
            note.id = ShownMessage.forkNote(of: LogKey(note.conversation, parent), at: base)
            return note
        }
    }

    /// By log, the sequences of messages and edits whose bodies should be held: neither deleted nor taken back, nor old.
    package var missing: [LogID: [UInt64]] {
        let (taken, deleted) = (takenBack, Set(deeds.deletions.keys))
        var found: [LogID: [UInt64]] = [:]
        for index in events.indices where events[index].body == nil && !isRemoved(index) {
            var about: Int? = index
            switch events[index].header.kind {
            case .message: break
            case .edit: about = target(of: index).flatMap { isMessage($0) ? $0 : nil }
            default: continue
            }
            if let about, taken.contains(about) || deleted.contains(about) { continue }
            found[logs[index], default: []].append(events[index].header.sequence)
        }
        return found
    }

    /// The events whose bodies nobody may read: the deleted and withdrawn messages with their edits. Those in `forGood` are
    /// not on disk either, because nothing brings them back.
    package var hidden: (all: Set<EventID>, forGood: Set<EventID>) {
        let deeds = deeds
        var (all, forGood): (Set<EventID>, Set<EventID>) = ([], [])
        for index in order {
            guard let about = events[index].header.kind == .edit ? target(of: index) : index else { continue }
            let isFinal = deeds.withdrawn.contains(about) || deeds.deletedByAuthor.contains(about)
            if isFinal { forGood.insert(events[index].id) }
            if isFinal || deeds.deletions[about] != nil { all.insert(events[index].id) }
        }
        return (all, forGood)
    }

    /// Whether a text was removed because of its age, or by an event that is held: a deletion or withdrawal of it, or of
    /// the message of which it is a version.
    package func isTextGoneRightly(_ id: EventID) -> Bool {
        guard let index = events.firstIndex(where: { $0.id == id }) else { return false }
        if isRemoved(index) { return true }
        let about = events[index].header.kind == .edit ? target(of: index) ?? index : index
        return takenBack.contains(about)
            || order.contains { events[$0].header.kind == .delete && target(of: $0) == about }
    }

    /// The edited messages that are shown, each with all of its texts: `nil` for a text that is not held.
    package var versions: [(line: ShownMessage, texts: [String?])] {
        let edited = deeds.edits
        var texts: [Int: [String?]] = [:]
        for index in order where events[index].header.kind == .edit {
            guard let target = target(of: index), let meaning = meanings[index] else { continue }
            if case .text(let text, _, _) = meaning { texts[target, default: []].append(text) }
            if case .unknownText = meaning { texts[target, default: []].append(nil) }
        }
        return lines.compactMap { line in
            guard let index = place(of: line.id), edited[index] != nil, line.rich?.deletion == nil,
                case .text(let first, _, _) = meanings[index]
            else { return nil }
            return (line, [first] + (texts[index] ?? []))
        }
    }

    /// The title and the topic of a group.
    package var label: (title: String, topic: String) {
        var (created, title, topic): (String, String?, String) = ("", nil, "")
        for index in order {
            guard case .note(let note) = meanings[index] else { continue }
            switch note {
            case .created(let text, _): created = text
            case .renamed(let text): title = text
            case .topic(let text): topic = text
            default: break
            }
        }
        return (title ?? created, topic)
    }

    /// The last that the owner of the store said about how long messages stay, and the last of anybody else, each with its
    /// place in the order.
    package func lifetimes(own: PeerID) -> LifetimeTerms {
        var terms = LifetimeTerms(conversation: conversation)
        for index in order {
            guard case .note(.lifetime(let seconds)) = meanings[index] else { continue }
            let said = Lifetime(seconds: seconds, effective: effective[index] ?? 0, id: events[index].id)
            if logs[index].author == own { terms.own = said } else { terms.others = said }
        }
        return terms
    }

    /// After how many milliseconds messages disappear: by the last word in a group, by the longer of both in a direct
    /// conversation; `nil` if they stay.
    package static func agreement(_ terms: LifetimeTerms, isGroup: Bool) -> Int64? {
        var all = [terms.own, terms.others].compactMap(\.self)
        if isGroup {
            all.sort { ($0.effective, $0.id) < ($1.effective, $1.id) }
            all = Array(all.suffix(1))
        } else if all.count < 2 {
            return nil
        }
        let seconds = all.map(\.seconds)
        return seconds.contains(0) ? nil : seconds.max().map { Int64($0) * 1_000 }
    }
}
