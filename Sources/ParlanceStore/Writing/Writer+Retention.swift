import GRDB
import ParlanceCore
import ParlanceWire

// Removing texts because of their age (events.md, "Removed by age").
extension Writer {
    /// Removes what is old, up to a number of events.
    func removeOld(_ logs: [RetainedLog], _ outcome: inout Outcome, _ db: Database) throws {
        var room = Limits.retentionPerBatch
        for retained in logs {
            guard let entry = try existingEntry(LogKey(retained.conversation, retained.log), db) else { continue }
            try removeOld(retained, entry, &room, &outcome, db)
        }
    }

    private func removeOld(
        _ retained: RetainedLog,
        _ entry: LogEntry,
        _ room: inout Int,
        _ outcome: inout Outcome,
        _ db: Database
    ) throws {
        var floor = max(entry.floor, entry.base.sequence)
        let end = min(retained.through, entry.applied.sequence)
        var isCut = false
        while floor < end {
            guard let found = try held(floor + 1, entry), retained.isOld(found.event),
                try mayRemove(found.event, retained, entry, belowFloor: floor, db)
            else { break }
            isCut = room == 0
            if isCut { break }
            room -= 1
            floor += 1
            switch found.event.header.kind {
            case .message: try touch(entry, floor, &outcome, db)
            case .edit: try removeEdit(found, &outcome)
            default: break
            }
        }
        guard isCut || floor > max(entry.floor, entry.base.sequence) else { return }
        entry.floor = max(entry.floor, floor)
        outcome.markDirty(entry)
        let key = entry.key
        outcome.raised(
            LogFloor(conversation: key.conversation, log: key.log, sequence: entry.floor, isCut: isCut),
            of: entry
        )
    }

    /// Whether the floor of a log may rise over an event: not over a text that is missing, unless its writer has removed it,
    /// nor over an edit as long as the message is shown, which would go back to its older text.
    private func mayRemove(
        _ event: StoredEvent,
        _ retained: RetainedLog,
        _ entry: LogEntry,
        belowFloor floor: UInt64,
        _ db: Database
    ) throws -> Bool {
        let (kind, sequence) = (event.header.kind, event.header.sequence)
        guard kind == .message || kind == .edit else { return true }
        if event.body == nil, sequence > retained.gone, try missing.contains(log: entry.row, sequence: sequence) {
            return false
        }
        guard kind == .edit, let found = try target(of: event.header, entry, db),
            found.event.header.log.author == event.header.log.author
        else { return true }
        return found.event.header.sequence <= (found.entry === entry ? floor : found.entry.floor)
    }

    /// Removes the text of an edit, which no message shows any more.
    private func removeEdit(_ edit: Held, _ outcome: inout Outcome) throws {
        let place = Place(log: edit.entry.row, sequence: edit.event.header.sequence)
        if edit.event.body != nil {
            try events.dropBody(log: place.log, sequence: place.sequence)
            holdsDroppedTexts = true
        }
        try dropWithheld([place])
        try missingWillChange(edit.entry, &outcome)
        try missing.delete(log: place.log, sequence: place.sequence)
    }
}
