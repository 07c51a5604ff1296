package import ParlanceWire

// What is held and cannot be applied, because something that it refers to is not (events.md, "Dependencies").
extension Engine {
    /// What waits at a start has done so since nobody knows when: long enough.
    mutating func restoreWaiting() {
        for id in conversations.keys.sorted() {
            for log in conversations[id]?.sortedLogs ?? [] where conversations[id]?.logs[log]?.waits == true {
                conversations[id]?.logs[log]?.waitsSince = turn.now.monotonic - Limits.provisionalMilliseconds
            }
        }
    }

    /// Looks at logs that moved: those that wait now, and those that wait no more.
    mutating func noteWaiting(_ keys: some Sequence<LogKey>) {
        var overdue: Set<ConversationID> = []
        for key in keys {
            guard let state = conversations[key.conversation]?.logs[key.log] else { continue }
            if !state.waits {
                // What was shown of it stands in its place now, or nowhere.
                if hasWaitedLong(state) { overdue.insert(key.conversation) }
                conversations[key.conversation]?.logs[key.log]?.waitsSince = nil
            } else if state.waitsSince == nil {
                conversations[key.conversation]?.logs[key.log]?.waitsSince = turn.now.monotonic
                turn.deadlines.advance(
                    .waiting(key.conversation),
                    to: turn.now.monotonic + Limits.provisionalMilliseconds
                )
            } else if isOverdue(state) {
                overdue.insert(key.conversation)
            }
        }
        for id in overdue.sorted() { turn.emit(.notify(.waiting(id, overdueLogs(of: id)))) }
    }

    mutating func waitingDue(_ id: ConversationID) {
        let moments = conversations[id]?.logs.values.filter(\.waits).compactMap(\.waitsSince) ?? []
        let due = moments.map { $0 + Limits.provisionalMilliseconds }
        turn.deadlines[.waiting(id)] = due.filter { $0 > turn.now.monotonic }.min()
        let overdue = overdueLogs(of: id)
        if !overdue.isEmpty { turn.emit(.notify(.waiting(id, overdue))) }
    }

    private func isOverdue(_ state: LogState) -> Bool { state.waits && hasWaitedLong(state) }

    private func hasWaitedLong(_ state: LogState) -> Bool {
        state.waitsSince.map { turn.now.monotonic - $0 >= Limits.provisionalMilliseconds } ?? false
    }

    /// Logs whose messages are shown before what they refer to is here, since that has not come for long.
    package func overdueLogs(of id: ConversationID) -> Set<LogID> {
        Set((conversations[id]?.logs ?? [:]).filter { isOverdue($0.value) }.keys)
    }
}
