import ParlanceRecords
import ParlanceWire

// The logs that wait, and what wakes them (events.md, "Dependencies"); `readiness` decides whether one waits. Work through a list instead of recursing: peers decide how
// long a chain is.
extension History {
    func wait(_ entry: LogProgress, for log: LogID, _ sequence: UInt64) throws {
        try loadWaiters()
        invariant(sequence > 0, "a log waits for an event that can come")
        invariant(
            waiters?.values.contains { $0.contains { $0.key == entry.key } } == false,
            "a log that waits is listed once"
        )
        try tables.insertWait(log: entry.row, awaited: log, sequence: sequence)
        waiters?[LogKey(entry.key.conversation, log), default: []].append(Waiter(key: entry.key, sequence: sequence))
    }

    /// Takes a log out of the list, so that it can be advanced again.
    func stopWaiting(_ entry: LogProgress) throws {
        try loadWaiters()
        for (key, list) in waiters ?? [:] where list.contains(where: { $0.key == entry.key }) {
            let rest = list.filter { $0.key != entry.key }
            waiters?[key] = rest.isEmpty ? nil : rest
        }
        try tables.deleteWait(log: entry.row)
    }

    private func loadWaiters() throws {
        guard waiters == nil else { return }
        var loaded: [LogKey: [Waiter]] = [:]
        for row in try tables.waits() {
            let key = LogKey(row.waiter.conversation, row.awaited)
            loaded[key, default: []].append(Waiter(key: row.waiter, sequence: row.sequence))
        }
        waiters = loaded
    }

    /// Adds the logs that waited for what was just applied to the list.
    func wake(_ entry: LogProgress, _ outcome: inout Outcome) throws {
        try loadWaiters()
        guard waiters?.isEmpty == false else { return }
        try wake(entry.key, through: entry.applied.sequence, &outcome)
        guard entry.parent != nil else { return }
        // A log that waits for another may wait for an event in a branch of it.
        for log in try branches(of: entry.key.conversation).above(entry.key.log) {
            try wake(LogKey(entry.key.conversation, log), through: entry.applied.sequence, &outcome)
        }
    }

    private func wake(_ key: LogKey, through sequence: UInt64, _ outcome: inout Outcome) throws {
        guard let list = waiters?[key] else { return }
        invariant(!list.isEmpty, "an event that is listed as awaited is awaited")
        invariant(
            list.allSatisfy { $0.key.conversation == key.conversation },
            "a log waits for an event of its own conversation"
        )
        let ready = list.filter { $0.sequence <= sequence }
        guard !ready.isEmpty else { return }
        let rest = list.filter { $0.sequence > sequence }
        waiters?[key] = rest.isEmpty ? nil : rest
        for waiter in ready {
            let log = try self.entry(waiter.key)
            try tables.deleteWait(log: log.row)
            outcome.unblocked.append(log)
        }
    }

    /// Applies events of the logs on the list until none can continue.
    func advanceUnblocked(_ outcome: inout Outcome) throws {
        var next = 0
        while next < outcome.unblocked.count {
            try advance(outcome.unblocked[next], &outcome)
            next += 1
        }
        if next > 0 { outcome.unblocked.removeAll(keepingCapacity: true) }
    }

    /// Applies the events that a log holds, up to one that has to wait.
    func advance(_ entry: LogProgress, _ outcome: inout Outcome) throws {
        while entry.applied.sequence < entry.position.sequence {
            let sequence = entry.applied.sequence + 1
            guard let event = try held(sequence, entry)?.event else {
                throw HistoryError.damaged("event \(sequence) is not there")
            }
            switch try readiness(of: event.header, entry) {
            case .ready(let effective):
                try tables.setEffective(effective, log: entry.row, sequence: sequence)
                try apply(event, effective: effective, entry, &outcome)
            case .waits(let log, let awaited): return try wait(entry, for: log, awaited)
            case .never: return
            }
        }
    }
}
