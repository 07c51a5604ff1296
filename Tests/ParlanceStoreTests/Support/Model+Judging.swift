import ParlanceCore
import ParlanceWire

extension Model {
    /// Computes everything from the applied events: verdicts, targets, bodies that are gone, and what is shown.
    struct Judging {
        let model: Model
        var result: Projection
        private var verdicts: [EventID: Projector.Verdict] = [:]
        private var about: [EventReference: [StoredEvent]] = [:]
        private var memberships: [ConversationID: Membership] = [:]
        /// The messages that withdrawals name, applied or not.
        private var takenBack: Set<EventID> = []
        private var withdrawn: Set<EventID> = []

        init(_ model: Model, _ result: Projection) {
            self.model = model
            self.result = result
            memberships = model.membership.mapValues { Membership($0) }
        }

        mutating func run() {
            for (key, events) in model.logs {
                for event in events { withdraw(event, events) }
                for event in events.prefix(result.applied[key, default: 0]) {
                    verdicts[event.id] = judge(event, events, body: event.body)
                }
            }
            relate()
            for event in all where isGone(event) {
                result.gone.insert(event.id)
                if isGoneForGood(event) { result.goneForGood.insert(event.id) }
            }
            for (key, events) in model.logs {
                for event in events where result.gone.contains(event.id) && verdicts[event.id] != nil {
                    verdicts[event.id] = judge(event, events, body: nil)
                }
                let missing = events.filter { isMissing($0) }.map(\.header.sequence)
                if !missing.isEmpty { result.missing[key] = missing }
            }
            for event in all { show(event) }
            label()
            sayLifetimes()
        }

        private var all: [StoredEvent] { model.logs.values.flatMap { $0 } }

        private func isBefore(_ a: StoredEvent, _ b: StoredEvent) -> Bool {
            (result.effective[a.id] ?? 0, a.id) < (result.effective[b.id] ?? 0, b.id)
        }

        private mutating func withdraw(_ event: StoredEvent, _ events: [StoredEvent]) {
            guard case .withdraw(let sequence) = Projector.judge(event, after: nil) else { return }
            guard events[Int(sequence) - 1].header.kind == .message else { return }
            takenBack.insert(events[Int(sequence) - 1].id)
            guard result.effective[event.id] != nil, case .withdraw = judge(event, events, body: event.body) else {
                return
            }
            withdrawn.insert(events[Int(sequence) - 1].id)
        }

        private func judge(_ event: StoredEvent, _ events: [StoredEvent], body: [UInt8]?) -> Projector.Verdict {
            let header = event.header
            let before = header.sequence == 1 ? nil : events[Int(header.sequence) - 2]
            var rights = Projector.Rights.direct
            var isValid = false
            if model.conversations.contains(where: { $0.id == header.conversation && $0.kind == .group }) {
                let membership = memberships[header.conversation] ?? Membership()
                func may(_ capability: Membership.Capability) -> Bool {
                    membership.allows(capability, header.log.author, in: header.log, at: header.sequence) {
                        gain in
                        events.prefix(Int(header.sequence)).contains { earlier in
                            earlier.header.references.contains { $0.log == gain.log && $0.sequence >= gain.sequence }
                        }
                    }
                }
                rights = Projector.Rights(isMember: may(.member), isAdmin: may(.admin))
                isValid = membership.isValid(event.id)
            }
            var event = event
            event.body = body
            let predecessor = before.map { Projector.Applied(id: $0.id, time: $0.header.time, effective: 0) }
            return Projector.judge(event, after: predecessor, rights: rights, isValidChange: isValid)
        }

        private mutating func relate() {
            for event in all where event.header.kind.needsTarget && result.effective[event.id] != nil {
                guard let target = event.header.target, message(target, event.header.conversation) != nil else {
                    continue
                }
                about[target, default: []].append(event)
            }
            for (target, events) in about { about[target] = events.sorted { isBefore($0, $1) } }
        }

        /// The message that a reference names; `nil` if there is no event or another one at that position.
        private func message(_ reference: EventReference, _ conversation: ConversationID) -> StoredEvent? {
            guard let events = model.logs[LogKey(conversation, reference.log)], reference.sequence <= events.count
            else { return nil }
            let event = events[Int(reference.sequence) - 1]
            return event.id == reference.id && event.header.kind == .message ? event : nil
        }

        private func deletions(of event: StoredEvent) -> [StoredEvent] {
            (about[event.reference] ?? []).filter { verdicts[$0.id] == .delete }
        }

        private func target(of edit: StoredEvent) -> StoredEvent? {
            edit.header.target.flatMap { message($0, edit.header.conversation) }
        }

        /// Whether its body may not be read.
        private func isGone(_ event: StoredEvent) -> Bool {
            switch event.header.kind {
            case .message: withdrawn.contains(event.id) || !deletions(of: event).isEmpty
            case .edit: result.effective[event.id] != nil && target(of: event).map { isGone($0) } == true
            default: false
            }
        }

        /// Whether the author removed it, or the message that it edits: that cannot become void.
        private func isGoneForGood(_ event: StoredEvent) -> Bool {
            guard event.header.kind == .message else { return target(of: event).map { isGoneForGood($0) } == true }
            let author = event.header.log.author
            return withdrawn.contains(event.id) || deletions(of: event).contains { $0.header.log.author == author }
        }

        private func isMissing(_ event: StoredEvent) -> Bool {
            guard event.body == nil || result.gone.contains(event.id), !takenBack.contains(event.id) else {
                return false
            }
            switch event.header.kind {
            case .message: return deletions(of: event).isEmpty
            case .edit:
                guard let target = target(of: event) else { return true }
                return deletions(of: target).isEmpty && !takenBack.contains(target.id)
            default: return false
            }
        }

        private mutating func show(_ event: StoredEvent) {
            guard let effective = result.effective[event.id], let content = content(event) else { return }
            let header = event.header
            result.messages[event.id] = ShownMessage(
                id: event.id,
                conversation: header.conversation,
                log: header.log,
                sequence: header.sequence,
                time: event.writtenTime,
                effective: effective,
                content: content
            )
        }

        private mutating func content(_ event: StoredEvent) -> ShownMessage.Content? {
            if case .note(let note) = verdicts[event.id] { return .note(note) }
            guard event.header.kind == .message, let text = text(of: event) else { return nil }
            var rich = RichMessage(text: text.text)
            let edits = edits(of: event)
            rich.versions += edits.count
            result.versions[event.id] = ([event] + edits).map { own($0).map { Array($0.text.utf8) } }
            if let deletion = deletions(of: event).first {
                rich.deletion = RichMessage.Deletion(author: deletion.header.log.author, time: deletion.writtenTime)
                return .rich(rich)
            }
            rich.mentions = text.mentions
            rich.files = own(event)?.files ?? []
            rich.reactions = reactions(to: event)
            if let target = event.header.target, let quoted = message(target, event.header.conversation) {
                var shown = self.text(of: quoted) ?? MessageText("")
                if deletions(of: quoted).isEmpty, self.text(of: quoted) != nil {
                    shown.files = own(quoted)?.files ?? []
                }
                rich.quote = RichMessage.Quote(message: target, text: shown.preview)
            }
            return rich == RichMessage(text: text.text) ? .text(text.text) : .rich(rich)
        }

        private typealias Text = MessageText

        private func own(_ event: StoredEvent) -> Text? {
            switch verdicts[event.id] {
            case .message(let text), .edit(let text): text
            default: nil
            }
        }

        private func edits(of event: StoredEvent) -> [StoredEvent] {
            (about[event.reference] ?? []).filter { edit in
                guard edit.header.kind == .edit else { return false }
                if case .void = verdicts[edit.id] { return false }
                return true
            }
        }

        /// The present text, empty if it was deleted; `nil` if the message is not shown.
        private func text(of event: StoredEvent) -> Text? {
            guard let verdict = verdicts[event.id], !withdrawn.contains(event.id) else { return nil }
            if !deletions(of: event).isEmpty { return verdict == .nothing ? MessageText("") : nil }
            guard let first = own(event) else { return nil }
            return edits(of: event).compactMap { own($0) }.last ?? first
        }

        private func reactions(to event: StoredEvent) -> [RichMessage.Reaction] {
            var last: [(emoji: String, author: PeerID)] = []
            for reaction in about[event.reference] ?? [] {
                guard case .reaction(let emoji, let removed) = verdicts[reaction.id] else { continue }
                let author = reaction.header.log.author
                last.removeAll { Array($0.emoji.utf8) == Array(emoji.utf8) && $0.author == author }
                if !removed { last.append((emoji, author)) }
            }
            var shown: [RichMessage.Reaction] = []
            for (emoji, author) in last {
                if let index = shown.firstIndex(where: { Array($0.emoji.utf8) == Array(emoji.utf8) }) {
                    shown[index].members.append(author)
                } else {
                    shown.append(RichMessage.Reaction(emoji: emoji, members: [author]))
                }
            }
            return shown
        }

        private mutating func sayLifetimes() {
            for record in model.conversations {
                var terms = LifetimeTerms(conversation: record.id)
                for message in model.history(record.id, result) {
                    guard case .note(.lifetime(let seconds)) = message.content else { continue }
                    let said = Lifetime(seconds: seconds, effective: message.effective, id: message.id)
                    if message.log.author == model.me { terms.own = said } else { terms.others = said }
                }
                if terms.own != nil || terms.others != nil { result.lifetimes[record.id] = terms }
            }
        }

        private mutating func label() {
            for record in model.conversations where record.kind == .group {
                var label = GroupLabel(conversation: record.id, title: "", topic: "")
                var created = ""
                for note in model.history(record.id, result).compactMap(\.note) {
                    switch note {
                    case .created(let title, _): created = title
                    case .renamed(let title): label.title = title
                    case .topic(let topic): label.topic = topic
                    default: break
                    }
                }
                if label.title.isEmpty { label.title = created }
                result.labels[record.id] = label
            }
        }
    }
}

extension StoredEvent {
    var reference: EventReference { EventReference(log: header.log, sequence: header.sequence, id: id) }
}
