import ParlanceCore
import ParlanceWire

// Texts that are removed because of their age.
extension SimulatedDisk {
    /// Removes what is old, up to a number of events.
    mutating func removeOld(_ logs: [RetainedLog], _ changed: inout Changed) -> [LogFloor] {
        var room = Limits.retentionPerBatch
        return logs.compactMap { removeOld($0, &room, &changed) }
    }

    private mutating func removeOld(_ retained: RetainedLog, _ room: inout Int, _ changed: inout Changed) -> LogFloor? {
        let key = LogKey(retained.conversation, retained.log)
        guard let log = logs[key] else { return nil }
        let start = max(log.floor, log.base.sequence)
        let old = log.events.prefix(log.effective.count)
            .drop { $0.header.sequence <= start }
            .prefix { $0.header.sequence <= retained.through && retained.isOld($0) }
        var end = start
        for event in old {
            guard mayRemove(event, retained, key, belowFloor: end) else { break }
            if room == 0 {
                logs[key]?.floor = end
                return LogFloor(conversation: key.conversation, log: key.log, sequence: end, isCut: true)
            }
            room -= 1
            end = event.header.sequence
            remove(event, key)
            changed.whole.insert(key.conversation)
        }
        guard end > start else { return nil }
        return LogFloor(conversation: key.conversation, log: key.log, sequence: end)
    }

    private func mayRemove(
        _ event: StoredEvent,
        _ retained: RetainedLog,
        _ key: LogKey,
        belowFloor floor: UInt64
    ) -> Bool {
        let (kind, sequence) = (event.header.kind, event.header.sequence)
        guard kind == .message || kind == .edit else { return true }
        if event.body == nil, sequence > retained.gone, logs[key]?.missing.contains(sequence) == true { return false }
        guard kind == .edit, let found = target(of: event, key),
            found.event.header.log.author == event.header.log.author
        else { return true }
        return found.event.header.sequence <= (found.key == key ? floor : logs[found.key]?.floor ?? 0)
    }

    private mutating func remove(_ event: StoredEvent, _ key: LogKey) {
        logs[key]?.floor = event.header.sequence
        guard event.header.kind == .message || event.header.kind == .edit else { return }
        guard let index = logs[key]?.index(of: event.header.sequence) else { return }
        logs[key]?.events[index].body = nil
        withheld[event.id] = nil
    }

    /// Notes that a message is shown no more because it was removed.
    ///
    /// - Returns: false if something else removed it.
    func noteRemoved(_ id: EventID, _ picture: Picture, _ receipt: inout PersistReceipt) -> Bool {
        guard let entry = picture.messages[id], entry.isRemoved,
            let place = receipt.floors.firstIndex(where: {
                $0.log == entry.key.log && $0.conversation == entry.key.conversation
            })
        else { return false }
        receipt.floors[place].removed.append(id)
        return true
    }
}
