import GRDB
import ParlanceCore
import ParlanceWire

// Bodies that are missing, that come later, and that are dropped. What is held decides here, applied or not.
extension Writer {
    /// Keeps count of what is held without a body.
    func noteBody(of event: StoredEvent, _ entry: LogEntry, _ db: Database) throws {
        let sequence = event.header.sequence
        switch event.header.kind {
        case .message where event.body == nil: try miss(event, entry, isExcused: false)
        case .edit where event.body == nil: try miss(event, entry, isExcused: isTargetGone(event, entry, db))
        case .withdraw:
            guard case .withdraw(let named) = Projector.judge(event, after: nil), named < sequence,
                try events.find(log: entry.row, sequence: named)?.event.header.kind == .message
            else { return }
            try withdrawals.hold(log: entry.row, sequence: named)
            if try missing.delete(log: entry.row, sequence: named) { outcome.missingChanged(entry) }
            outcome.touch(entry, named)
        default: break
        }
    }

    /// An event has no body.
    private func miss(_ event: StoredEvent, _ entry: LogEntry, isExcused: Bool) throws {
        let target = event.header.kind == .edit ? event.header.target?.id : nil
        let isNew = try missing.insert(
            log: entry.row,
            sequence: event.header.sequence,
            target: target,
            isExcused: isExcused
        )
        if isNew && !isExcused { outcome.missingChanged(entry) }
    }

    /// Whether the message that an edit is of is held and gone.
    private func isTargetGone(_ edit: StoredEvent, _ entry: LogEntry, _ db: Database) throws -> Bool {
        guard let found = try target(of: edit.header, entry, db), found.event.header.kind == .message else {
            return false
        }
        let (row, sequence) = (found.entry.row, found.event.header.sequence)
        return try withdrawals.state(log: row, sequence: sequence) != nil
            || About(log: row, sequence: sequence, db).deletion != nil
    }

    /// Fills in a body that came later, if it is missing and is the right one.
    func fill(_ found: FoundBody, _ db: Database) throws {
        guard found.sequence <= UInt64(Int64.max),
            let entry = try existingEntry(LogKey(found.conversation, found.log), db),
            try missing.contains(log: entry.row, sequence: found.sequence),
            let held = try events.find(log: entry.row, sequence: found.sequence), held.event.body == nil,
            Bytes32(hashingBody: found.body) == held.event.header.bodyHash
        else { return }
        try events.setBody(found.body, log: entry.row, sequence: found.sequence)
        _ = try missing.delete(log: entry.row, sequence: found.sequence)
        outcome.missingChanged(entry)
        guard let effective = held.effective else { return }
        if held.event.header.kind == .message { return outcome.touch(entry, found.sequence) }
        var event = held.event
        event.body = found.body
        try relate(event, verdict(on: event, entry, db), effective: effective, entry, db)
    }

    /// Drops the texts of a message that is gone and of its edits.
    func dropBodies(_ event: inout StoredEvent, _ about: inout About, _ entry: LogEntry, _ db: Database) throws {
        if event.body != nil {
            try events.dropBody(log: entry.row, sequence: event.header.sequence)
            event.body = nil
            holdsDroppedTexts = true
        }
        var hasDropped = false
        for edit in about.edits {
            guard let found = try events.find(log: edit.log, sequence: edit.sequence), found.event.body != nil,
                let effective = found.effective, let key = try LogTable.key(of: edit.log, db),
                let other = try existingEntry(key, db)
            else { continue }
            try events.dropBody(log: edit.log, sequence: edit.sequence)
            holdsDroppedTexts = true
            var emptied = found.event
            emptied.body = nil
            try miss(emptied, other, isExcused: true)
            try relate(emptied, verdict(on: emptied, other, db), effective: effective, other, db)
            hasDropped = true
        }
        if hasDropped { about = try About(log: entry.row, sequence: event.header.sequence, db) }
    }

    /// Says of a message and its edits whether their bodies are missing.
    func excuse(_ event: StoredEvent, _ entry: LogEntry, isGone: Bool, _ db: Database) throws {
        let sequence = event.header.sequence
        if event.body == nil {
            if isGone {
                if try missing.delete(log: entry.row, sequence: sequence) { outcome.missingChanged(entry) }
            } else {
                try miss(event, entry, isExcused: false)
            }
        }
        for edit in try missing.edits(of: event.id) where edit.isExcused != isGone {
            guard let key = try LogTable.key(of: edit.log, db), let other = try existingEntry(key, db),
                key.conversation == entry.key.conversation,
                let header = try events.find(log: edit.log, sequence: edit.sequence)?.event.header,
                header.target?.sequence == sequence, try target(of: header, other, db)?.entry === entry
            else { continue }
            try missing.setExcused(isGone, log: edit.log, sequence: edit.sequence)
            outcome.missingChanged(other)
        }
    }
}
