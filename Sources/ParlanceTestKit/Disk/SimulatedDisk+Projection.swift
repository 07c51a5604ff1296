import ParlanceCore
import ParlanceWire

// The projections of the events, made as they arrive.
extension SimulatedDisk {
    /// Applies what can be applied, and determines what that changes for people.
    mutating func project(_ changed: Changed, _ floors: [LogFloor]) -> PersistReceipt {
        var receipt = PersistReceipt()
        receipt.floors = floors
        receipt.filled = changed.filled
        receipt.appliedChanges = changed.heldLate.filter { id in
            memberships.values.contains { $0.contains(id) }
        }
        var whole = changed.whole
        let forked = logs.keys.filter { changed.forked.contains($0.conversation) }
        var list = changed.touched + forked.sorted { ($0.conversation, $0.log) < ($1.conversation, $1.log) }
        var next = 0
        var moved: [LogKey: LogPosition] = [:]
        while next < list.count {
            let key = list[next]
            next += 1
            var last: LogPosition?
            while let event = applyNext(of: key) {
                last = event.position
                if isChange(event) { receipt.appliedChanges.append(event.id) }
                if !showPlainly(event, key, &receipt) { whole.insert(key.conversation) }
            }
            guard let last else { continue }
            moved[key] = last
            list += wake(key)
        }
        for key in forked { moved[key] = logs[key]?.applied }
        receipt.applied = moved.sorted { ($0.key.conversation, $0.key.log) < ($1.key.conversation, $1.key.log) }
            .map { AppliedLog(conversation: $0.key.conversation, log: $0.key.log, position: $0.value) }
        for conversation in whole.sorted() { reproject(conversation, changed, &receipt) }
        return receipt
    }

    /// The logs that waited for a log, or for the log from which it forks.
    private mutating func wake(_ key: LogKey) -> [LogKey] {
        var woken = waiters.removeValue(forKey: key) ?? []
        var parent = logs[key]?.parent
        while let log = parent {
            let above = LogKey(key.conversation, log)
            woken.formUnion(waiters.removeValue(forKey: above) ?? [])
            parent = logs[above]?.parent
        }
        // A branch continues when the events that it shares are applied.
        woken.formUnion(children(of: key))
        return woken.sorted { $0.log < $1.log }
    }

    private mutating func applyNext(of key: LogKey) -> StoredEvent? {
        guard let log = logs[key], log.effective.count < log.events.count else { return nil }
        let event = log.events[log.effective.count]
        var earlier: [UInt64] = []
        if let last = log.effective.last {
            earlier.append(last)
        } else if let parent = log.parent, log.base.sequence > 0 {
            guard let before = applied(EventReference(log: parent, sequence: log.base.sequence, id: log.base.head), key)
            else { return nil }
            earlier.append(before.effective)
        }
        for reference in event.header.references where !isGivenUp(reference, key.conversation) {
            guard let other = applied(reference, key) else { return nil }
            earlier.append(other.effective)
        }
        logs[key]?.effective.append(Projector.effective(time: event.header.time, after: earlier))
        return event
    }

    /// An event that another names, in its log or in a branch of it; `nil` while it is not applied: the log is woken
    /// when it is.
    private mutating func applied(_ reference: EventReference, _ waiter: LogKey) -> Projector.Applied? {
        let found = applied(reference, waiter.conversation)
        let awaited = keeper(of: reference.sequence, LogKey(waiter.conversation, reference.log))
        if found == nil { waiters[awaited, default: []].insert(waiter) }
        return found
    }

    func isApplied(_ event: StoredEvent) -> Bool {
        let reference = EventReference(log: event.header.log, sequence: event.header.sequence, id: event.id)
        return applied(reference, event.header.conversation) != nil
    }

    private func applied(_ reference: EventReference, _ conversation: ConversationID) -> Projector.Applied? {
        guard let (key, event) = held(reference, conversation), let log = logs[key],
            let index = log.index(of: reference.sequence), index < log.effective.count
        else { return nil }
        return Projector.Applied(id: event.id, time: event.header.time, effective: log.effective[index])
    }

    /// The branches that fork from a log. There are few, however many logs there are.
    private func children(of key: LogKey) -> [LogKey] {
        branches.filter { $0.conversation == key.conversation && $0.parent == key.log }
            .map { LogKey($0.conversation, $0.log) }
    }

    func branches(below key: LogKey) -> [LogKey] {
        guard !branches.isEmpty else { return [] }
        var found: [LogKey] = []
        var next = [key.log]
        while let log = next.popLast() {
            let children = children(of: LogKey(key.conversation, log))
            found += children
            next += children.map(\.log)
        }
        return found.sorted { $0.log < $1.log }
    }

    /// The usual case: a message that only adds a line, or an event that adds none.
    ///
    /// - Returns: whether the event changes nothing else.
    private mutating func showPlainly(_ event: StoredEvent, _ key: LogKey, _ receipt: inout PersistReceipt) -> Bool {
        // The first event of a branch, whatever it is, may make a fork visible.
        guard let log = logs[key], log.parent == nil || log.effective.count > 1 else { return false }
        if event.header.kind == .link { return true }
        guard event.header.kind == .message, event.header.target == nil, event.body != nil,
            let effective = log.effective.last
        else { return false }
        guard case .message(let content) = verdict(of: log.effective.count - 1, key), content.mentions.isEmpty,
            content.files.isEmpty
        else { return false }
        let message = line(event, key, effective, .text(content.text))
        shown[key.conversation, default: [:]][event.id] = message
        receipt.shown.append(message)
        return true
    }

    func line(
        _ event: StoredEvent,
        _ key: LogKey,
        _ effective: UInt64,
        _ content: ShownMessage.Content
    ) -> ShownMessage {
        ShownMessage(
            id: event.id,
            conversation: key.conversation,
            log: key.log,
            sequence: event.header.sequence,
            time: event.writtenTime,
            effective: effective,
            content: content
        )
    }

    /// The verdict on an applied event, by everything that is held.
    func verdict(of index: Int, _ key: LogKey) -> Projector.Verdict {
        guard let log = logs[key] else { return .nothing }
        let event = log.events[index]
        var before: Projector.Applied?
        if index > 0 {
            let earlier = log.events[index - 1]
            before = Projector.Applied(
                id: earlier.id,
                time: earlier.header.time,
                effective: log.effective[index - 1]
            )
        } else if let parent = log.parent {
            let base = EventReference(log: parent, sequence: log.base.sequence, id: log.base.head)
            before = applied(base, key.conversation)
        }
        let isValid = memberships[key.conversation]?.isValid(event.id) == true
        return Projector.judge(event, after: before, rights: rights(of: event, key), isValidChange: isValid)
    }

    private func rights(of event: StoredEvent, _ key: LogKey) -> Projector.Rights {
        guard let membership = memberships[key.conversation] else { return .direct }
        func may(_ capability: Membership.Capability) -> Bool {
            membership.allows(capability, key.log.author, in: key.log, at: event.header.sequence) {
                hasNamed($0, event, key)
            }
        }
        return Projector.Rights(isMember: may(.member), isAdmin: may(.admin))
    }

    /// Whether a log had named a gain up to an event: the events that it shares with the logs from which it forks are
    /// its own.
    private func hasNamed(_ gain: Membership.Gain, _ event: StoredEvent, _ key: LogKey) -> Bool {
        if gain.log == event.header.log {
            return gain.sequence < event.header.sequence && self.event(at: gain.sequence, of: key)?.id == gain.id
        }
        var last = event.header.sequence
        for other in [key] + logs(above: key) {
            guard let log = logs[other] else { continue }
            let earlier = log.events.prefix { $0.header.sequence <= last }
            if earlier.contains(where: { $0.header.references.contains { isFrom(gain, $0, key.conversation) } }) {
                return true
            }
            last = log.base.sequence
        }
        return false
    }

    /// Whether the event named is a gain, or a later event of the log that contains the gain.
    private func isFrom(_ gain: Membership.Gain, _ named: EventReference, _ conversation: ConversationID) -> Bool {
        guard named.log.author == gain.log.author, named.sequence >= gain.sequence, !isGivenUp(named, conversation),
            let (key, event) = held(named, conversation)
        else { return false }
        return event.header.log == gain.log && self.event(at: gain.sequence, of: key)?.id == gain.id
    }
}

// The positions of events once logs are forked.
extension SimulatedDisk {
    /// The logs from which a log forks, the nearest first.
    func logs(above key: LogKey) -> [LogKey] {
        var found: [LogKey] = []
        var parent = logs[key]?.parent
        while let log = parent {
            found.append(LogKey(key.conversation, log))
            parent = found.last.flatMap { logs[$0]?.parent }
        }
        return found
    }

    /// The log that contains a position of a log: the log itself, or the one from which it forks if the position is not
    /// beyond the base.
    func keeper(of sequence: UInt64, _ key: LogKey) -> LogKey {
        ([key] + logs(above: key)).first { sequence > logs[$0]?.base.sequence ?? 0 } ?? key
    }

    func event(at sequence: UInt64, of key: LogKey) -> StoredEvent? {
        guard let log = logs[keeper(of: sequence, key)], let index = log.index(of: sequence) else { return nil }
        return log.events[index]
    }

    /// The event that another names: it is in the log named, or in a branch of it.
    func held(_ reference: EventReference, _ conversation: ConversationID) -> (key: LogKey, event: StoredEvent)? {
        let key = keeper(of: reference.sequence, LogKey(conversation, reference.log))
        return find(reference, in: [key] + branches(below: key))
    }

    /// The target of an event. In the same log it is an earlier event: in its branch, or in the log from which the
    /// branch forks.
    func target(of event: StoredEvent, _ key: LogKey) -> (key: LogKey, event: StoredEvent)? {
        guard let target = event.header.target else { return nil }
        guard target.log == event.header.log else {
            return isGivenUp(target, key.conversation) ? nil : held(target, key.conversation)
        }
        guard target.sequence < event.header.sequence else { return nil }
        return find(target, in: [key] + logs(above: key))
    }

    private func find(_ reference: EventReference, in keys: [LogKey]) -> (key: LogKey, event: StoredEvent)? {
        for key in keys {
            guard let log = logs[key], let index = log.index(of: reference.sequence),
                log.events[index].id == reference.id
            else { continue }
            return (key, log.events[index])
        }
        return nil
    }
}
