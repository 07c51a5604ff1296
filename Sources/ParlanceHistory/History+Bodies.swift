import ParlanceRecords
import ParlanceWire

// Bodies that are missing, arrive later, or are dropped (events.md, "Bodies that are gone and bodies that are missing",
// "Withdrawals"). Events that are held decide this, whether applied or not.
extension History {
    /// Updates the records of missing bodies for a new event.
    func noteBody(of event: StoredEvent, _ entry: LogProgress, _ outcome: inout Outcome) throws {
        let sequence = event.header.sequence
        // A text that was removed by age is not missing.
        guard sequence > entry.floor || event.header.kind == .withdraw else { return }
        switch event.header.kind {
        case .message:
            if try isTakenBackInABranch(sequence, entry) { return try touch(entry, sequence, &outcome) }
            if event.body == nil { try miss(event, entry, isExcused: false, &outcome) }
        case .edit where event.body == nil: try miss(event, entry, isExcused: isTargetGone(event, entry), &outcome)
        case .withdraw:
            guard case .withdraw(let named) = Projector.judge(event, after: nil) else { return }
            let keeper = try keeper(of: named, entry)
            // The message may be one that the branch shares with others and may come later.
            if let found = try held(named, keeper), found.event.header.kind != .message { return }
            try touch(keeper, named, &outcome)
            try tables.holdWithdrawal(log: keeper.row, sequence: named)
            try missingWillChange(keeper, &outcome)
            try tables.deleteMissing(log: keeper.row, sequence: named)
        default: break
        }
    }

    /// Whether a withdrawal in a branch came before the message that it names.
    private func isTakenBackInABranch(_ sequence: UInt64, _ entry: LogProgress) throws -> Bool {
        let branches = try branches(of: entry.key.conversation)
        guard !branches.isEmpty, !branches.children(of: entry.key.log).isEmpty else { return false }
        return try tables.withdrawal(log: entry.row, sequence: sequence) != nil
    }

    /// Records that an event has no body.
    func miss(_ event: StoredEvent, _ entry: LogProgress, isExcused: Bool, _ outcome: inout Outcome) throws {
        let target = event.header.kind == .edit ? event.header.target?.id : nil
        try missingWillChange(entry, &outcome)
        try tables.insertMissing(log: entry.row, sequence: event.header.sequence, target: target, isExcused: isExcused)
    }

    /// Records that the text at a place is missing, as if it had never come.
    package func lose(_ place: Place, _ outcome: inout Outcome) throws {
        guard let key = try tables.logKey(of: place.log), let entry = try existingEntry(key),
            let held = try held(place.sequence, entry), place.sequence > entry.floor
        else { return }
        let isGone = try held.event.header.kind == .edit && isTargetGone(held.event, entry)
        try miss(held.event, entry, isExcused: isGone, &outcome)
        guard held.event.header.kind == .edit, let effective = held.effective else { return }
        try relate(held.event, verdict(on: held.event, entry), effective: effective, entry, &outcome)
    }

    /// Remembers the missing bodies of a log before they change.
    func missingWillChange(_ entry: LogProgress, _ outcome: inout Outcome) throws {
        guard outcome.gathers, outcome.missing[entry.row] == nil else { return }
        outcome.missing[entry.row] = (entry, try tables.missing(log: entry.row))
    }

    /// Whether the message that an edit is about is held and gone.
    func isTargetGone(_ edit: StoredEvent, _ entry: LogProgress) throws -> Bool {
        guard let found = try target(of: edit.header, entry), found.event.header.kind == .message else {
            return false
        }
        let (row, sequence) = (found.entry.row, found.event.header.sequence)
        return try tables.withdrawal(log: row, sequence: sequence) != nil
            || tables.deletion(of: Place(log: row, sequence: sequence)) != nil
    }

    /// Fills in a body that arrived later, if it is missing and its hash is right.
    func fill(_ found: FoundBody, _ outcome: inout Outcome) throws {
        guard found.sequence <= UInt64(Int64.max),
            let entry = try existingEntry(LogKey(found.conversation, found.log)), found.sequence > entry.floor,
            try tables.isMissing(log: entry.row, sequence: found.sequence),
            let held = try tables.event(log: entry.row, sequence: found.sequence), held.event.body == nil,
            Bytes32(hashingBody: found.body) == held.event.header.bodyHash
        else { return }
        var event = held.event
        if event.header.kind == .message {
            try touch(entry, found.sequence, &outcome)
        } else {
            try touchTarget(of: event, entry, &outcome)
        }
        try tables.setBody(found.body, log: entry.row, sequence: found.sequence)
        invariant(found.sequence <= entry.position.sequence, "a body is filled in where its event is held")
        outcome.filled[LogKey(found.conversation, found.log), default: 0] += found.body.count
        try missingWillChange(entry, &outcome)
        try tables.deleteMissing(log: entry.row, sequence: found.sequence)
        guard event.header.kind == .edit, let effective = held.effective else { return }
        event.body = found.body
        try relate(event, verdict(on: event, entry), effective: effective, entry, &outcome)
    }

    /// Drops the texts of a message that is gone and of its edits.
    ///
    /// - Parameter isFinal: whether nothing can bring the message back. If not, the texts are kept in `withheld`, which
    ///   nothing displays.
    func dropBodies(
        _ event: inout StoredEvent,
        _ about: inout Annotations,
        _ entry: LogProgress,
        isFinal: Bool,
        _ outcome: inout Outcome
    ) throws {
        let place = Place(log: entry.row, sequence: event.header.sequence)
        if event.body != nil {
            try drop(place, isFinal: isFinal)
            event.body = nil
        }
        if isFinal { try dropWithheld([place] + about.edits.map { Place(log: $0.log, sequence: $0.sequence) }) }
        var hasDropped = false
        for edit in about.edits {
            guard let found = try tables.event(log: edit.log, sequence: edit.sequence), found.event.body != nil,
                let effective = found.effective, let key = try tables.logKey(of: edit.log),
                let other = try existingEntry(key)
            else { continue }
            try drop(Place(log: edit.log, sequence: edit.sequence), isFinal: isFinal)
            var emptied = found.event
            emptied.body = nil
            try miss(emptied, other, isExcused: true, &outcome)
            try relate(emptied, verdict(on: emptied, other), effective: effective, other, &outcome)
            hasDropped = true
        }
        if hasDropped { about = try Annotations(place, tables) }
    }

    /// Drops the text of a message that is below the floor of its log.
    func removeBody(_ event: inout StoredEvent, _ entry: LogProgress) throws {
        let place = Place(log: entry.row, sequence: event.header.sequence)
        if event.body != nil {
            try drop(place, isFinal: true)
            event.body = nil
        }
        try dropWithheld([place])
    }

    private func drop(_ place: Place, isFinal: Bool) throws {
        if isFinal {
            tables.noteDroppedText()
        } else {
            try tables.keepWithheld(place, since: wall)
            holdsWithheld = true
        }
        try tables.dropBody(log: place.log, sequence: place.sequence)
    }

    func dropWithheld(_ places: [Place]) throws {
        guard holdsWithheld else { return }
        for place in places where try tables.deleteWithheld(place) { tables.noteDroppedText() }
    }

    /// Drops texts that have been kept so long that a membership event which brings them back is no longer expected.
    package func dropOldTexts() throws {
        guard holdsWithheld else { return }
        let (moment, isBefore) = wall.subtractingReportingOverflow(Limits.deletedTextMilliseconds)
        guard !isBefore, try tables.expireWithheld(since: moment) else { return }
        tables.noteDroppedText()
        holdsWithheld = try tables.hasWithheld()
    }

    /// Restores the texts of a message and its edits if they were kept; no deletion counts any more.
    func returnBodies(
        _ event: inout StoredEvent,
        _ about: inout Annotations,
        _ entry: LogProgress,
        _ outcome: inout Outcome
    ) throws {
        guard holdsWithheld else { return }
        let place = Place(log: entry.row, sequence: event.header.sequence)
        if event.body == nil { event.body = try putBack(place, entry, &outcome) }
        var hasReturned = false
        for edit in about.edits {
            guard let found = try tables.event(log: edit.log, sequence: edit.sequence), found.event.body == nil,
                let effective = found.effective, let key = try tables.logKey(of: edit.log),
                let other = try existingEntry(key),
                let body = try putBack(Place(log: edit.log, sequence: edit.sequence), other, &outcome)
            else { continue }
            var filled = found.event
            filled.body = body
            try relate(filled, verdict(on: filled, other), effective: effective, other, &outcome)
            hasReturned = true
        }
        if hasReturned { about = try Annotations(place, tables) }
    }

    private func putBack(_ place: Place, _ entry: LogProgress, _ outcome: inout Outcome) throws -> [UInt8]? {
        guard let body = try tables.takeWithheld(place) else { return nil }
        // Its age has removed it meanwhile.
        guard place.sequence > entry.floor else { return nil }
        try tables.setBody(body, log: place.log, sequence: place.sequence)
        try missingWillChange(entry, &outcome)
        try tables.deleteMissing(log: place.log, sequence: place.sequence)
        return body
    }

    /// Marks messages of a log to be examined again if their texts or edits are withheld.
    func touchWithheld(of entry: LogProgress, _ outcome: inout Outcome) throws {
        guard holdsWithheld else { return }
        for sequence in try tables.withheld(log: entry.row) {
            guard let event = try held(sequence, entry)?.event else { continue }
            if event.header.kind == .message {
                try touch(entry, sequence, &outcome)
            } else {
                try touchTarget(of: event, entry, &outcome)
            }
        }
    }

    /// Records whether the bodies of a message and its edits are missing or excused.
    func excuse(_ event: StoredEvent, _ entry: LogProgress, isGone: Bool, _ outcome: inout Outcome) throws {
        let sequence = event.header.sequence
        if event.body == nil {
            if isGone || sequence <= entry.floor {
                try missingWillChange(entry, &outcome)
                try tables.deleteMissing(log: entry.row, sequence: sequence)
            } else {
                try miss(event, entry, isExcused: false, &outcome)
            }
        }
        for edit in try tables.missingEdits(of: event.id) where edit.isExcused != isGone {
            guard let key = try tables.logKey(of: edit.log), let other = try existingEntry(key),
                key.conversation == entry.key.conversation,
                let header = try tables.event(log: edit.log, sequence: edit.sequence)?.event.header,
                header.target?.sequence == sequence, try target(of: header, other)?.entry === entry
            else { continue }
            try missingWillChange(other, &outcome)
            try tables.setExcused(isGone, log: edit.log, sequence: edit.sequence)
        }
    }
}
