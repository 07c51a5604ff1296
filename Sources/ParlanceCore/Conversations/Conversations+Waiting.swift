import ParlanceWire

// What is held and cannot be applied, because something that it refers to is not (events.md, "Dependencies").
extension Conversations {
    /// What waits at a start has done so since nobody knows when: long enough.
    mutating func restoreWaiting(at now: Int64) {
        for conversation in inOrder {
            for (log, state) in conversation.logs where state.waits {
                let since = now - Limits.provisionalMilliseconds
                change(conversation.id) { $0.wait(log, since: since) }
            }
        }
    }

    /// Looks at logs that moved: those that wait now, and those that wait no more.
    mutating func noteWaiting(_ keys: [LogKey], _ turn: inout Turn) {
        var overdue: Set<ConversationID> = []
        for key in keys {
            guard let state = self[key.conversation]?.logs[key.log] else { continue }
            if !state.waits {
                // What was shown of it stands in its place now, or nowhere.
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
            }
        }
        for id in overdue.sorted() { turn.emit(.notify(.waiting(id, overdueLogs(of: id, at: turn.now.monotonic)))) }
    }

    func waitingDue(_ id: ConversationID, _ turn: inout Turn) {
        let moments = self[id]?.logs.values.filter(\.waits).compactMap(\.waitsSince) ?? []
        let due = moments.map { $0 + Limits.provisionalMilliseconds }
        turn.deadlines[.waiting(id)] = due.filter { $0 > turn.now.monotonic }.min()
        let overdue = overdueLogs(of: id, at: turn.now.monotonic)
        if !overdue.isEmpty { turn.emit(.notify(.waiting(id, overdue))) }
    }

    /// Logs whose messages are shown before what they refer to is here, since that has not come for long.
    func overdueLogs(of id: ConversationID, at now: Int64) -> Set<LogID> {
        self[id]?.overdueLogs(at: now) ?? []
    }
}
