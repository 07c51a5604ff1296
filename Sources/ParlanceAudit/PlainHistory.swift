package import ParlanceRecords
package import ParlanceWire

/// What a node that holds certain events shows of their conversation: a second, plain implementation of events.md.
/// It starts from raw events (headers and bodies) and from the first events of known branches. It shares nothing with
/// the projections of the stores: it finds every event by its ID, and the event before it by `previous`. So a branch
/// needs no rule of its own except its name.
package struct PlainHistory {
    package let conversation: ConversationID
    /// In the order of their sequences.
    package let events: [StoredEvent]
    /// The log or branch that each event is in.
    package let logs: [LogID]
    /// The position of each applied event in the order shown.
    package private(set) var effective: [UInt64?]
    /// The positions of messages, and of what is done to them, as if events that are not held did not exist.
    private(set) var provisional: [UInt64?] = []
    private let places: [EventID: Int]
    private let firsts: [EventID: LogID]
    private let before: [Int?]
    private let membership: PlainMembership?
    /// Through where the texts of each log were removed because of their age.
    private let floors: [LogID: UInt64]
    /// Events that are not awaited any more.
    private let givenUp: Set<EventID>
    /// The applied events, in the order shown.
    private(set) var order: [Int] = []
    private(set) var meanings: [PlainMeaning?]

    package init(
        _ events: [StoredEvent],
        of conversation: ConversationID,
        firsts: [EventID: LogID],
        membership: PlainMembership?,
        floors: [LogID: UInt64],
        givenUp: Set<EventID>
    ) {
        let events = events.sorted { $0.header.sequence < $1.header.sequence }
        let places = Dictionary(events.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let before = events.map { $0.header.previous.flatMap { places[$0] } }
        var logs: [LogID] = []
        for (index, event) in events.enumerated() {
            logs.append(firsts[event.id] ?? before[index].map { logs[$0] } ?? event.header.log)
        }
        (self.conversation, self.events, self.places, self.before, self.logs) = (
            conversation, events, places, before, logs
        )
        (self.firsts, self.membership, self.floors, self.givenUp) = (firsts, membership, floors, givenUp)
        effective = Array(repeating: nil, count: events.count)
        meanings = Array(repeating: nil, count: events.count)
        effective = placed(after: effective, ignoresMissing: false)
        order = events.indices.filter { effective[$0] != nil }
            .sorted { (effective[$0] ?? 0, events[$0].id) < (effective[$1] ?? 0, events[$1].id) }
        for index in order { meanings[index] = meaning(of: index) }
    }

    // Order.

    /// Applies every event that can be applied: an event whose predecessor and references are all applied.
    private func placed(after known: [UInt64?], ignoresMissing: Bool) -> [UInt64?] {
        var effective = known
        var open = Array(repeating: 0, count: events.count)
        var followers: [[Int]] = Array(repeating: [], count: events.count)
        var ready: [Int] = []
        var earlier: [[Int]] = Array(repeating: [], count: events.count)
        for index in events.indices where effective[index] == nil {
            guard let found = followed(by: index, ignoresMissing) else { continue }
            earlier[index] = found
            for other in found where effective[other] == nil {
                open[index] += 1
                followers[other].append(index)
            }
            if open[index] == 0 { ready.append(index) }
        }
        while let index = ready.popLast() {
            var place = min(events[index].header.time.raw, 1 << 62)
            for other in earlier[index] { place = max(place, min(effective[other] ?? 0, 1 << 63 - 2) + 1) }
            effective[index] = place
            for follower in followers[index] {
                open[follower] -= 1
                if open[follower] == 0 { ready.append(follower) }
            }
        }
        return effective
    }

    /// Everything that an event follows: its predecessor and its references; `nil` if some of it is not held.
    func followed(by index: Int, _ ignoresMissing: Bool) -> [Int]? {
        let header = events[index].header
        var found: Set<Int> = []
        if let previous = before[index] {
            found.insert(previous)
        } else if header.previous != nil && !ignoresMissing {
            // A branch may be here before the events that it has in common with others.
            return nil
        }
        for reference in header.dependencies + [header.target].compactMap({ $0 }) where reference.log != header.log {
            guard !givenUp.contains(reference.id) else { continue }
            if let other = held(reference) {
                found.insert(other)
            } else if !ignoresMissing {
                return nil
            }
        }
        return Array(found)
    }

    /// Its predecessor and its references, as far as they are held, also those that were given up.
    package func named(by index: Int) -> [Int] {
        let header = events[index].header
        let references = header.dependencies + [header.target].compactMap { $0 }
        return [before[index]].compactMap { $0 } + references.compactMap { held($0) }
    }

    package func isGivenUp(_ id: EventID) -> Bool { givenUp.contains(id) }

    /// An event that another names: it has that ID and that position, and the log named is known.
    private func held(_ reference: EventReference) -> Int? {
        guard let index = places[reference.id], events[index].header.sequence == reference.sequence,
            events[index].header.log == reference.log || firsts.values.contains(reference.log)
        else { return nil }
        return index
    }

    package func place(of id: EventID) -> Int? { places[id] }

    /// Whether its text was removed because of its age, if it is a message or an edit.
    func isRemoved(_ index: Int) -> Bool { events[index].header.sequence <= floors[logs[index]] ?? 0 }

    func isFirstOfBranch(_ index: Int) -> Bool { firsts[events[index].id] != nil }

    /// The log from which a branch forks.
    func parent(of first: Int) -> LogID { before[first].map { logs[$0] } ?? events[first].header.log }

    /// Whether an event is the given one, or comes after it in its log.
    private func isAtOrBehind(_ index: Int, _ other: Int) -> Bool {
        var next: Int? = index
        while let here = next, events[here].header.sequence >= events[other].header.sequence {
            if here == other { return true }
            next = before[here]
        }
        return false
    }

    /// The event that an event is about; in the same log it is an earlier one.
    func target(of index: Int) -> Int? {
        guard let target = events[index].header.target, let found = held(target),
            target.log == events[index].header.log || !givenUp.contains(target.id)
        else { return nil }
        guard events[found].header.log == events[index].header.log else { return found }
        guard target.log == events[index].header.log else { return found }
        return found != index && isAtOrBehind(index, found) ? found : nil
    }

    /// The event that an event is about, if that is held.
    package func target(of id: EventID) -> StoredEvent? {
        places[id].flatMap { target(of: $0) }.map { events[$0] }
    }

    /// The event at a position of an event's own log.
    func earlier(_ sequence: UInt64, _ index: Int) -> Int? {
        var next = before[index]
        while let here = next, events[here].header.sequence > sequence { next = before[here] }
        return next.flatMap { events[$0].header.sequence == sequence ? $0 : nil }
    }

    // Rights.

    private func may(_ capability: PlainMembership.Capability, _ index: Int) -> Bool {
        guard let membership else { return capability == .member }
        return membership.has(capability, of: logs[index], at: events[index].header.sequence) { gain in
            places[gain].map { hasNamed($0, index) } ?? false
        }
    }

    /// Whether a log had named an event by a position.
    private func hasNamed(_ gain: Int, _ index: Int) -> Bool {
        if isAtOrBehind(index, gain) { return index != gain }
        var next: Int? = index
        while let here = next {
            let header = events[here].header
            for reference in header.dependencies + [header.target].compactMap({ $0 }) {
                if !givenUp.contains(reference.id), let named = held(reference), isAtOrBehind(named, gain) {
                    return true
                }
            }
            next = before[here]
        }
        return false
    }

    // Verdicts.

    private func meaning(of index: Int) -> PlainMeaning {
        let event = events[index]
        if let previous = before[index], event.header.time.raw <= events[previous].header.time.raw { return .void }
        if event.body?.count ?? 0 > Limits.bodyBytes { return .voidByText }
        switch event.header.kind {
        case .link, .unknown: return .nothing
        case .withdraw: return PlainMeaning(withdrawal: event)
        case .create, .members:
            guard membership?.valid.contains(event.id) == true,
                let note = PlainChange(event)?.note
            else { return .void }
            return .note(note)
        default: break
        }
        let isOwn = event.header.target.map { $0.log.author == event.header.log.author } ?? false
        // An author may always delete what it wrote.
        if event.header.kind == .delete, isOwn { return .delete }
        guard may(.member, index) else { return .void }
        switch event.header.kind {
        case .title, .topic: return membership == nil ? .void : PlainMeaning(label: event)
        case .lifetime:
            return membership == nil || may(.admin, index) ? PlainMeaning(lifetime: event) : .void
        case .message: return PlainMeaning(text: event)
        default: break
        }
        guard event.header.target != nil else { return .void }
        switch event.header.kind {
        case .edit: return isOwn ? PlainMeaning(text: event) : .void
        case .delete: return may(.admin, index) ? .delete : .void
        case .reaction: return PlainMeaning(reaction: event)
        default: return .nothing
        }
    }

    /// A message that is shown though it waits.
    package struct Waiting {
        package let effective: UInt64
        package let id: EventID
        package let log: LogID
        package let sequence: UInt64
        package let text: String
    }

    /// What is shown in a conversation though it waits: messages of members that their authors have not taken back.
    package mutating func waiting(of names: Set<LogID>) -> [Waiting] {
        provisional = placed(after: effective, ignoresMissing: true)
        var found: [Waiting] = []
        let taken = takenBack
        for index in events.indices where effective[index] == nil && names.contains(logs[index]) {
            guard let place = provisional[index], events[index].header.kind == .message, !taken.contains(index),
                case .text(let text, _, _) = meaning(of: index)
            else { continue }
            let isDeleted = events.indices.contains { other in
                effective[other] == nil && names.contains(logs[other]) && events[other].header.kind == .delete
                    && events[other].header.target?.id == events[index].id
                    && events[other].header.log.author == events[index].header.log.author
            }
            guard !isDeleted else { continue }
            let sequence = events[index].header.sequence
            found.append(
                Waiting(effective: place, id: events[index].id, log: logs[index], sequence: sequence, text: text)
            )
        }
        return found.sorted { ($0.effective, $0.id) < ($1.effective, $1.id) }
    }

    /// The messages that held withdrawals name, whether or not these are applied.
    var takenBack: Set<Int> {
        var found: Set<Int> = []
        for index in events.indices where events[index].header.kind == .withdraw {
            guard case .withdraw(let sequence) = PlainMeaning(withdrawal: events[index]) else { continue }
            if let target = earlier(sequence, index) { found.insert(target) }
        }
        return found
    }
}
