import ParlanceCore
package import ParlanceWire

// Comparing what two disks hold.
extension SimulatedDisk {
    /// Whether two disks agree on everything on which members of a conversation must agree: the logs, what is missing,
    /// what is shown and in which order. Each shows a time that is far ahead as its own time of arrival, and each may have
    /// removed texts because of their age.
    ///
    /// - Parameter floors: through where others may have removed texts that one of the two could get only from them.
    package func agrees(
        with other: SimulatedDisk,
        on conversation: ConversationID,
        besides floors: [LogID: UInt64] = [:]
    ) -> Bool {
        var hidden: Set<EventID> = []
        for name in Set(logs(of: conversation) + other.logs(of: conversation)) {
            let key = LogKey(conversation, name)
            let floor = max(self.floor(of: key), other.floor(of: key), floors[name] ?? 0)
            guard position(of: key) == other.position(of: key), applied(of: key) == other.applied(of: key),
                missingBodies(of: key).filter({ $0 > floor }) == other.missingBodies(of: key).filter({ $0 > floor })
            else { return false }
            if floor > 0 {
                hidden.formUnion((logs[key]?.events ?? []).prefix { $0.header.sequence <= floor }.map(\.id))
            }
        }
        let mine = lines(of: conversation, without: hidden)
        let theirs = other.lines(of: conversation, without: hidden)
        return mine.count == theirs.count
            && mine.allSatisfy { id, line in theirs[id].map { line.saysTheSame(as: $0) } == true }
    }

    /// The lines of a conversation without some messages and without what is quoted of them.
    private func lines(of conversation: ConversationID, without hidden: Set<EventID>) -> [EventID: ShownMessage] {
        let lines = shown[conversation] ?? [:]
        guard !hidden.isEmpty else { return lines }
        return lines.filter { $0.value.note != nil || !hidden.contains($0.key) }.mapValues { line in
            guard case .rich(var rich) = line.content, let quote = rich.quote, hidden.contains(quote.message.id) else {
                return line
            }
            var line = line
            rich.quote?.text = ""
            line.content = .rich(rich)
            return line
        }
    }

    /// The same events in another order: one complete log after the other, so that nothing is applied in the original
    /// order. What was removed because of its age stays removed.
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
        for (key, log) in logs where max(log.floor, log.cleared) > 0 {
            other.logs[key]?.floor = log.floor
            other.logs[key]?.cleared = log.cleared
        }
        for conversation in Set(logs.filter { $0.value.floor > 0 }.keys.map(\.conversation)).sorted() {
            var receipt = PersistReceipt()
            other.reproject(conversation, Changed(missing: [:]), &receipt)
        }
        return other
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
