import ParlanceCore
import ParlanceWire

// Texts that are removed because of their age, or because the user has cleared them.
extension SimulatedDisk {
    /// Removes what is old or cleared, up to a number of events.
    mutating func removeOld(_ logs: [RetainedLog], _ changed: inout Changed) -> [LogFloor] {
        var room = Limits.retentionPerBatch
        var floors: [LogFloor] = []
        for retained in logs {
            guard let floor = removeOld(retained, &room, &changed) else { continue }
            // The sweep and a command of the user may both name a log.
            floors.removeAll { $0.conversation == floor.conversation && $0.log == floor.log }
            floors.append(floor)
        }
        return floors
    }

    private mutating func removeOld(_ retained: RetainedLog, _ room: inout Int, _ changed: inout Changed) -> LogFloor? {
        let key = LogKey(retained.conversation, retained.log)
        guard let log = logs[key] else { return nil }
        let isMarked = clear(key, through: retained.cleared)
        let start = max(log.floor, log.base.sequence)
        let old = log.events.prefix(log.effective.count)
            .drop { $0.header.sequence <= start }
            .prefix { $0.header.sequence <= retained.through && retained.goes($0) }
        var end = start
        for event in old {
            guard mayRemove(event, retained, key, belowFloor: end) else { break }
            if room == 0 { return raised(key, isCut: true) }
            room -= 1
            end = event.header.sequence
            remove(event, key)
            changed.whole.insert(key.conversation)
        }
        return isMarked || end > start ? raised(key) : nil
    }

    private func raised(_ key: LogKey, isCut: Bool = false) -> LogFloor {
        LogFloor(
            conversation: key.conversation,
            log: key.log,
            sequence: logs[key]?.floor ?? 0,
            cleared: logs[key]?.cleared ?? 0,
            isCut: isCut
        )
    }

    /// - Returns: whether the log is cleared further than before.
    private mutating func clear(_ key: LogKey, through sequence: UInt64) -> Bool {
        guard let log = logs[key], min(sequence, log.position.sequence) > log.cleared else { return false }
        logs[key]?.cleared = min(sequence, log.position.sequence)
        return true
    }

    /// Notes through where the user has cleared logs.
    mutating func noteCleared(_ logs: [RetainedLog]) {
        for retained in logs { _ = clear(LogKey(retained.conversation, retained.log), through: retained.cleared) }
    }

    /// Through where each log of these conversations is cleared.
    func clearedLogs(of retained: [RetainedLog]) -> [LogFloor] {
        let places = Set(retained.filter { $0.cleared > 0 }.map(\.conversation))
        return logs.filter { places.contains($0.key.conversation) && $0.value.cleared > 0 }.keys
            .sorted { ($0.conversation, $0.log) < ($1.conversation, $1.log) }.map { raised($0) }
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
