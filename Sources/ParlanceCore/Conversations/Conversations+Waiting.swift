import ParlanceRecords
import ParlanceWire

// Logs that are held but cannot be applied because an event that they refer to is missing (events.md, "Dependencies").
extension Conversations {
    /// Treats logs that wait at the start as overdue: since when they wait is not stored.
    mutating func restoreWaiting(_ turn: inout Turn) {
        let now = turn.now.monotonic
        for conversation in inOrder {
            for (log, state) in conversation.logs where state.waits {
                let since = now - Limits.provisionalMilliseconds
                change(conversation.id) { $0.wait(log, since: since) }
                considerGivingUp(in: conversation.id, &turn)
            }
        }
    }

    /// Looks at the logs that wait in a minute, if something may be given up there.
    func considerGivingUp(in id: ConversationID, _ turn: inout Turn) {
        guard self[id]?.overflowing.isEmpty == false else { return }
        turn.deadlines.advance(.waiting(id), to: turn.now.monotonic + Limits.provisionalMilliseconds)
    }

    /// Looks at logs that advanced: some start to wait, some stop waiting.
    ///
    /// - Returns: the conversations in which more or fewer messages are shown although they wait.
    mutating func noteWaiting(_ keys: [LogKey], _ turn: inout Turn) -> Set<ConversationID> {
        var overdue: Set<ConversationID> = []
        for key in keys {
            guard let state = self[key.conversation]?.logs[key.log] else { continue }
            if !state.waits {
                // The messages shown provisionally are now in their place, or are void.
                if state.hasWaitedLong(at: turn.now.monotonic) { overdue.insert(key.conversation) }
                change(key.conversation) { $0.wait(key.log, since: nil) }
            } else if state.waitsSince == nil {
                change(key.conversation) { $0.wait(key.log, since: turn.now.monotonic) }
                turn.deadlines.advance(
                    .waiting(key.conversation),
                    to: turn.now.monotonic + Limits.provisionalMilliseconds
                )
            } else if state.isOverdue(at: turn.now.monotonic) {
                overdue.insert(key.conversation)
                considerGivingUp(in: key.conversation, &turn)
            }
        }
        return overdue
    }

    /// - Returns: whether messages of the conversation are shown although they wait.
    mutating func waitingDue(_ id: ConversationID, _ turn: inout Turn) -> Bool {
        let moments = self[id]?.logs.values.filter(\.waits).compactMap(\.waitsSince) ?? []
        let due = moments.map { $0 + Limits.provisionalMilliseconds }
        turn.deadlines[.waiting(id)] = due.filter { $0 > turn.now.monotonic }.min()
        let overdue = overdueLogs(of: id, at: turn.now.monotonic)
        var given: GivenUp?
        change(id) { given = $0.giveUp(overdue) }
        if let given {
            turn.batch.rows.givenUp.append(given)
            turn.batch.isUrgent = true
        }
        return !overdue.isEmpty
    }

    /// Logs that have waited so long for a missing dependency that their messages are shown anyway.
    func overdueLogs(of id: ConversationID, at now: Int64) -> Set<LogID> {
        self[id]?.overdueLogs(at: now) ?? []
    }
}
