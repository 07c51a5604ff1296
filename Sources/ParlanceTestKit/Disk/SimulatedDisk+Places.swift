import ParlanceCore
import ParlanceRecords
import ParlanceWire

// What is applied, and which logs fork from which.
extension SimulatedDisk {
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
