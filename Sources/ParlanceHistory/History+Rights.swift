import ParlanceRecords
import ParlanceWire

// Rights in a group (groups.md, "Rights of what is written"). They follow from all membership events held, so new ones
// change old verdicts.
extension History {
    /// Takes the membership events of a batch, alone or in a log, before anything of the batch is applied.
    func takeMembership(_ batch: any HistoryBatch, _ outcome: inout Outcome) throws {
        var order: [ConversationID] = []
        var new: [ConversationID: [StoredEvent]] = [:]
        for events in [batch.membership, batch.events] {
            // Few are: do not copy the others.
            for index in events.indices where events[index].header.kind.isMembership {
                let event = events[index]
                if new[event.header.conversation] == nil { order.append(event.header.conversation) }
                new[event.header.conversation, default: []].append(event)
            }
        }
        for id in order {
            guard let group = try conversation(id).group, let events = new[id] else { continue }
            let before = group.membership
            let taken = group.membership.insert(events)
            for event in taken {
                try tables.insertMembership(event, conversationRow: group.conversationRow)
                if try isApplied(event) { outcome.applied(change: event.id) }
            }
            if before.events.count + taken.count > group.membership.events.count {
                for event in before.events where !group.membership.contains(event.id) {
                    try tables.deleteMembership(event.id, conversationRow: group.conversationRow)
                }
            }
            if !taken.isEmpty { try judgeAgain(id, group, before, &outcome) }
        }
    }

    /// Whether a log has the event, which was not held as a change when it was applied.
    private func isApplied(_ event: StoredEvent) throws -> Bool {
        let reference = EventReference(log: event.header.log, sequence: event.header.sequence, id: event.id)
        guard let found = try held(reference, in: event.header.conversation) else { return false }
        return try tables.event(log: found.entry.row, sequence: event.header.sequence)?.effective != nil
    }

    private func judgeAgain(
        _ id: ConversationID,
        _ group: GroupState,
        _ before: Membership,
        _ outcome: inout Outcome
    ) throws {
        let difference = group.membership.difference(from: before)
        for author in difference.authors {
            for replica in try tables.replicas(of: author, conversationRow: group.conversationRow) {
                guard let entry = try existingEntry(LogKey(id, LogID(author: author, replica: replica))) else {
                    continue
                }
                try judgeAgain(entry, group, before, &outcome)
            }
        }
        for event in difference.events {
            let reference = EventReference(log: event.log, sequence: event.sequence, id: event.id)
            guard let found = try held(reference, in: id) else { continue }
            try touch(found.entry, event.sequence, &outcome)
        }
    }

    /// Examines the events of a log whose author's rights may have changed.
    private func judgeAgain(
        _ entry: LogProgress,
        _ group: GroupState,
        _ before: Membership,
        _ outcome: inout Outcome
    ) throws {
        let same = max(entry.base.sequence, group.membership.isSame(through: entry.key.log, as: before))
        guard same < entry.applied.sequence else { return }
        for sequence in (same + 1)...entry.applied.sequence {
            guard let found = try tables.event(log: entry.row, sequence: sequence), let effective = found.effective
            else {
                throw HistoryError.damaged("event \(sequence) is not there")
            }
            let event = found.event
            guard try rights(of: event.header, entry) != rights(of: event.header, entry, under: before) else {
                continue
            }
            if event.header.kind.needsTarget {
                try relate(event, verdict(on: event, entry), effective: effective, entry, &outcome)
            } else {
                try touch(entry, sequence, &outcome)
            }
        }
    }

    /// The verdict on an event, given everything held now.
    func verdict(on event: StoredEvent, _ entry: LogProgress) throws -> Projector.Verdict {
        var predecessor: Projector.Applied?
        if event.header.sequence == entry.base.sequence + 1 {
            predecessor = try baseEvent(of: entry)
        } else if let found = try tables.event(log: entry.row, sequence: event.header.sequence - 1) {
            predecessor = Projector.Applied(
                id: found.event.id,
                time: found.event.header.time,
                effective: found.effective ?? 0
            )
        }
        return Projector.judge(
            event,
            after: predecessor,
            rights: try rights(of: event.header, entry),
            isValidChange: entry.group?.membership.isValid(event.id) == true
        )
    }

    /// The rights of the author at an event's position.
    ///
    /// - Parameter earlier: a previous membership; `nil` for the present one.
    func rights(
        of header: EventHeader,
        _ entry: LogProgress,
        under earlier: Membership? = nil
    ) throws -> Projector.Rights {
        guard let group = entry.group else { return .direct }
        var failure: (any Error)?
        func may(_ capability: Membership.Capability) -> Bool {
            let membership = earlier ?? group.membership
            return membership.allows(capability, header.log.author, in: entry.key.log, at: header.sequence) {
                do {
                    return try group.namings.hasNamed(
                        $0,
                        by: header,
                        in: entry.key.log,
                        reader(of: entry.key.conversation)
                    )
                } catch {
                    failure = error
                    return false
                }
            }
        }
        let rights = Projector.Rights(isMember: may(.member), isAdmin: header.kind.needsAdmin && may(.admin))
        if let failure { throw failure }
        return rights
    }
}
