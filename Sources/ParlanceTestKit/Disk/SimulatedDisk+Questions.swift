package import ParlanceCore
package import ParlanceWire

// Questions of the checkers.
extension SimulatedDisk {
    /// How far a log is durable here.
    package func position(of key: LogKey) -> LogPosition { logs[key]?.position ?? .start }

    /// Up to where everything of a log is durable here, bodies too: this may be called delivered.
    ///
    /// - Parameter writer: the disk of the replica that writes the log: nobody is expected to have what it lacks.
    package func completeThrough(of key: LogKey, besides writer: SimulatedDisk?) -> UInt64 {
        entry(of: key)?.completeThrough(besides: writer?.entry(of: key)) ?? 0
    }

    private func entry(of key: LogKey) -> Clock.Entry? {
        logs[key].map { Clock.Entry(position: $0.position, missing: $0.missing, floor: $0.floor) }
    }

    package func missingBodies(of key: LogKey) -> [UInt64] { logs[key]?.missing ?? [] }

    /// Whether an event is durable here in that very log.
    package func holds(_ id: EventID, at sequence: UInt64, of key: LogKey) -> Bool {
        guard let log = logs[key] else { return false }
        if sequence == log.base.sequence { return log.base.head == id }
        return log.index(of: sequence).map { log.events[$0].id == id } ?? false
    }

    /// An event that is durable here, in the log that its header names or in a branch of that.
    package func event(_ id: EventID, at sequence: UInt64, named key: LogKey) -> StoredEvent? {
        for place in [key] + branches(below: key) {
            guard let log = logs[place], let index = log.index(of: sequence), log.events[index].id == id else {
                continue
            }
            return log.events[index]
        }
        return nil
    }

    /// The event at a position of a branch that this disk does not know as a branch: it is in the log from which the
    /// branch forks.
    func events(at sequence: UInt64, ofBranch key: LogKey) -> [StoredEvent] {
        logs.filter { $0.key.conversation == key.conversation && $0.key.log.author == key.log.author }.values
            .compactMap { log in
                guard let index = log.index(of: sequence) else { return nil }
                let isPart = log.events[...index].contains {
                    LogID(branchOf: $0.header.log, first: $0.id) == key.log
                }
                return isPart ? log.events[index] : nil
            }
    }

    struct Deletion {
        let event: StoredEvent
        /// The log in which it is kept.
        let log: LogID
        let isInBranch: Bool
    }

    /// The deletions of a conversation that are applied, by the messages that they name.
    func deletions(in conversation: ConversationID) -> [EventID: [Deletion]] {
        var found: [EventID: [Deletion]] = [:]
        for (key, log) in logs where key.conversation == conversation {
            for event in log.events.prefix(log.effective.count) where event.header.kind == .delete {
                guard let target = event.header.target, target.log.author != key.log.author || log.parent == nil else {
                    continue
                }
                let deletion = Deletion(event: event, log: key.log, isInBranch: log.parent != nil)
                found[target.id, default: []].append(deletion)
            }
        }
        return found
    }

    package func shows(_ id: EventID) -> ShownMessage? { shown.values.lazy.compactMap { $0[id] }.first }

    /// The groups that are known here, in the order of arrival.
    package var groups: [ConversationID] { conversations.filter { $0.kind == .group }.map(\.id) }

    /// The last message of every conversation, as it is shown.
    package func latestShown() -> [ConversationID: ShownMessage] {
        shown.compactMapValues { lines in
            lines.values.filter { $0.note != .forked }.max { ($0.effective, $0.id) < ($1.effective, $1.id) }
        }
    }

    /// The logs of a conversation that are not empty, in a fixed order.
    package func logs(of conversation: ConversationID) -> [LogID] {
        logs.filter { $0.key.conversation == conversation && !$0.value.events.isEmpty }.map(\.key.log).sorted()
    }

    /// Whether two disks agree on everything on which members of a conversation must agree: the logs, what is missing,
    /// what is shown and in which order. Each shows a time that is far ahead as its own time of arrival.
    package func agrees(with other: SimulatedDisk, on conversation: ConversationID) -> Bool {
        for name in Set(logs(of: conversation) + other.logs(of: conversation)) {
            let key = LogKey(conversation, name)
            guard position(of: key) == other.position(of: key), applied(of: key) == other.applied(of: key),
                missingBodies(of: key) == other.missingBodies(of: key)
            else { return false }
        }
        let (mine, theirs) = (shown[conversation] ?? [:], other.shown[conversation] ?? [:])
        return mine.count == theirs.count
            && mine.allSatisfy { id, line in theirs[id].map { line.saysTheSame(as: $0) } == true }
    }

    /// The same events in another order: one complete log after the other, so that nothing is applied in the original
    /// order.
    package func rebuilt() -> SimulatedDisk {
        var other = SimulatedDisk(name: "rebuilt", identity: identity)
        var batch = PersistBatch(id: BatchID(0))
        batch.conversations = conversations
        batch.branches = snapshot.branches
        batch.membership = snapshot.membership
        for key in logs.keys.sorted(by: { ($1.conversation, $1.log) < ($0.conversation, $0.log) }) {
            batch.events += logs[key]?.events ?? []
        }
        other.persist(batch)
        return other
    }
}

extension SimulatedDisk {
    /// Up to where a log has been applied here.
    func applied(of key: LogKey) -> Int { logs[key]?.effective.count ?? 0 }

    /// The first event of a log that is held and not applied.
    func nextToApply(in key: LogKey) -> StoredEvent? {
        guard let log = logs[key], log.effective.count < log.events.count else { return nil }
        return log.events[log.effective.count]
    }
}

extension ShownMessage {
    /// Whether everything except the times is equal.
    fileprivate func saysTheSame(as other: ShownMessage) -> Bool {
        if self == other { return true }
        var line = self
        line.time = other.time
        if case .rich(var rich) = line.content, let theirs = other.rich?.deletion {
            rich.deletion?.time = theirs.time
            line.content = .rich(rich)
        }
        return line == other
    }
}
