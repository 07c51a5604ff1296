import ParlanceRecords
import ParlanceWire

// Removing texts because of their age, or because the user has cleared them (events.md, "Removed by age", "Cleared").
extension History {
    /// How much more a batch removes.
    private struct Room {
        var events: Int
        var bytes = Limits.retentionBytesPerBatch

        var isUsedUp: Bool { events <= 0 || bytes <= 0 }

        mutating func take(_ event: StoredEvent) {
            events -= 1
            bytes -= event.body?.count ?? 0
        }
    }

    /// Removes what is old or cleared, up to a number of events and of bytes.
    func removeOld(_ logs: [RetainedLog], _ limit: Int, _ outcome: inout Outcome) throws {
        var room = Room(events: limit)
        for retained in logs {
            guard let entry = try existingEntry(LogKey(retained.conversation, retained.log)) else { continue }
            try removeOld(retained, entry, &room, &outcome)
        }
    }

    private func removeOld(
        _ retained: RetainedLog,
        _ entry: LogProgress,
        _ room: inout Room,
        _ outcome: inout Outcome
    ) throws {
        let start = max(entry.floor, entry.base.sequence)
        var floor = start
        let end = min(retained.through, entry.applied.sequence)
        let isMarked = clear(entry, through: retained.cleared, &outcome)
        var isCut = false
        while floor < end {
            guard let found = try held(floor + 1, entry), retained.goes(found.event),
                try mayRemove(found.event, retained, entry, belowFloor: floor)
            else { break }
            isCut = room.isUsedUp
            if isCut { break }
            room.take(found.event)
            floor += 1
            switch found.event.header.kind {
            case .message: try touch(entry, floor, &outcome)
            case .edit: try removeEdit(found, &outcome)
            default: break
            }
        }
        guard isCut || isMarked || floor > start else { return }
        invariant(floor <= entry.applied.sequence || floor == start, "age removes only what is applied")
        invariant(floor <= max(start, retained.through), "age removes no more than is old")
        if floor > start { entry.floor = floor }
        outcome.markDirty(entry)
        outcome.raised(LogFloor(entry, isCut: isCut), of: entry)
    }

    /// Notes through where the user has cleared a log: what may not go yet goes later.
    ///
    /// - Returns: whether it is further than before.
    private func clear(_ entry: LogProgress, through sequence: UInt64, _ outcome: inout Outcome) -> Bool {
        let end = min(sequence, entry.position.sequence)
        guard end > entry.cleared else { return false }
        invariant(end <= entry.position.sequence, "only what is held is cleared")
        entry.cleared = end
        outcome.markDirty(entry)
        return true
    }

    /// Notes through where the user has cleared logs, in a batch that removes nothing because a log forks.
    func noteCleared(_ logs: [RetainedLog], _ outcome: inout Outcome) throws {
        for retained in logs {
            guard let entry = try existingEntry(LogKey(retained.conversation, retained.log)) else { continue }
            _ = clear(entry, through: retained.cleared, &outcome)
        }
    }

    /// Through where each log of these conversations is cleared.
    func clearedLogs(of logs: [RetainedLog]) throws -> [LogFloor] {
        let places = Set(logs.filter { $0.cleared > 0 }.map(\.conversation))
        guard !places.isEmpty else { return [] }
        return try tables.logs(conversationRow: nil).filter { places.contains($0.conversation) }
            .map { try entry($0) }.filter { $0.cleared > 0 }.map { LogFloor($0) }
    }

    /// Whether the floor of a log may rise over an event: not over a text that is missing, unless its author has
    /// removed it, nor over an edit as long as the message is shown, which would go back to its older text.
    private func mayRemove(
        _ event: StoredEvent,
        _ retained: RetainedLog,
        _ entry: LogProgress,
        belowFloor floor: UInt64
    ) throws -> Bool {
        let (kind, sequence) = (event.header.kind, event.header.sequence)
        guard kind == .message || kind == .edit else { return true }
        if event.body == nil, sequence > retained.gone, try tables.isMissing(log: entry.row, sequence: sequence) {
            return false
        }
        guard kind == .edit, let found = try target(of: event.header, entry),
            found.event.header.log.author == event.header.log.author
        else { return true }
        return found.event.header.sequence <= (found.entry === entry ? floor : found.entry.floor)
    }

    /// Removes the text of an edit, which no message shows any more.
    private func removeEdit(_ edit: Held, _ outcome: inout Outcome) throws {
        let place = Place(log: edit.entry.row, sequence: edit.event.header.sequence)
        if edit.event.body != nil {
            try tables.dropBody(log: place.log, sequence: place.sequence)
            tables.noteDroppedText()
        }
        try dropWithheld([place])
        try missingWillChange(edit.entry, &outcome)
        try tables.deleteMissing(log: place.log, sequence: place.sequence)
    }
}

extension LogFloor {
    fileprivate init(_ entry: LogProgress, isCut: Bool = false) {
        let key = entry.key
        self.init(
            conversation: key.conversation,
            log: key.log,
            sequence: entry.floor,
            cleared: entry.cleared,
            isCut: isCut
        )
    }
}

extension RetainedLog {
    /// Whether an event is to go: it is cleared, or old enough by the time that is shown.
    fileprivate func goes(_ event: StoredEvent) -> Bool {
        if event.header.sequence <= cleared { return true }
        guard let limit = age else { return false }
        let (age, isFar) = wall.subtractingReportingOverflow(event.writtenTime.shown(at: wall))
        return isFar ? wall > 0 : age > limit
    }
}
