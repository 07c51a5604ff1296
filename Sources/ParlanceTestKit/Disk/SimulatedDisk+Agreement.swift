import ParlanceCore
import ParlanceRecords
package import ParlanceWire

// Comparing what two disks hold.
extension SimulatedDisk {
    /// Whether two disks agree on everything on which members of a conversation must agree: the logs, what is missing,
    /// what is shown and in which order. Each shows a time that is far ahead as its own time of arrival, and each may have
    /// removed texts because of their age. A branch beyond those that are synced may be on one of them, or partly; where
    /// there is one, or where something was given up, they need not agree on the order (events.md, "Given up"), nor on what
    /// such a branch does to messages: edits and deletions of its author, reactions.
    ///
    /// - Parameter floors: through where others may have removed texts that one of the two could get only from them.
    package func agrees(
        with other: SimulatedDisk,
        on conversation: ConversationID,
        besides floors: [LogID: UInt64] = [:]
    ) -> Bool {
        disagreement(with: other, on: conversation, besides: floors) == nil
    }

    /// The first thing on which they do not agree.
    func disagreement(
        with other: SimulatedDisk,
        on conversation: ConversationID,
        besides floors: [LogID: UInt64] = [:]
    ) -> String? {
        let displaced = displaced(in: conversation).union(other.displaced(in: conversation))
        let given = (givenUp[conversation] ?? []).union(other.givenUp[conversation] ?? [])
        let deceivers = deceivers(in: conversation).union(other.deceivers(in: conversation))
        var removed: Set<EventID> = []
        for name in Set(logs(of: conversation) + other.logs(of: conversation)).subtracting(displaced).sorted() {
            let key = LogKey(conversation, name)
            let floor = max(self.floor(of: key), other.floor(of: key), floors[name] ?? 0)
            if let found = disagreement(with: other, about: key, above: deceivers.isEmpty ? floor : nil) {
                return found
            }
            if floor > 0 {
                removed.formUnion((logs[key]?.events ?? []).prefix { $0.header.sequence <= floor }.map(\.id))
            }
        }
        removed.formUnion(deleted(by: deceivers, in: conversation) + other.deleted(by: deceivers, in: conversation))
        var (mine, theirs) = (
            lines(of: conversation, without: removed), other.lines(of: conversation, without: removed)
        )
        let isOrdered = displaced.isEmpty && given.isEmpty
        if !isOrdered {
            mine = mine.compactMapValues { $0.besides(displaced, given, deceivers) }
            theirs = theirs.compactMapValues { $0.besides(displaced, given, deceivers) }
        }
        // What such an author deleted in a displaced branch is a line where the branch is known, and no text elsewhere.
        func isAwaited(_ line: ShownMessage, at disk: SimulatedDisk) -> Bool {
            deceivers.contains(line.log.author)
                && disk.missingBodies(of: LogKey(conversation, line.log)).contains(line.sequence)
        }
        let different = Set(mine.keys).union(theirs.keys).filter { id in
            switch (mine[id], theirs[id]) {
            case (let line?, let others?): !line.saysTheSame(as: others, inOrder: isOrdered)
            case (let line?, nil): !isAwaited(line, at: other)
            case (nil, let line?): !isAwaited(line, at: self)
            case (nil, nil): false
            }
        }
        guard let id = different.min() else { return nil }
        let texts = [mine[id], theirs[id]].map { $0.map { "\($0)" } ?? "nothing" }
        return "\(texts[0]) and \(texts[1])"
    }

    /// The first thing on which they do not agree about a log.
    ///
    /// - Parameter floor: through where it does not matter which bodies are missing; nil if that matters nowhere.
    private func disagreement(with other: SimulatedDisk, about key: LogKey, above floor: UInt64?) -> String? {
        let (first, second) = (position(of: key), other.position(of: key))
        if first != second { return "\(key.log.short) to \(first.sequence) and to \(second.sequence)" }
        if let floor {
            let (bare, missing) = (missingBodies(of: key), other.missingBodies(of: key))
            if bare.filter({ $0 > floor }) != missing.filter({ $0 > floor }) {
                return "\(key.log.short) without \(bare) and without \(missing)"
            }
        }
        let (applied, shown) = (applied(of: key), other.applied(of: key))
        guard applied != shown else { return nil }
        let waiting = [self, other].compactMap { $0.awaited(by: key) }.joined(separator: ", ")
        return "\(key.log.short) applied to \(applied) and to \(shown), waiting for \(waiting)"
    }

    /// What a log waits for, as its rows say.
    private func awaited(by key: LogKey) -> String? {
        guard let log = logs[key], let wait = allRows.waits[log.row] else { return nil }
        let isHeld = event(at: wait.sequence, of: LogKey(key.conversation, wait.log)) != nil
        return "\(wait.sequence) of \(wait.log.short) (\(isHeld ? "held" : "not held"))"
    }

    /// Messages that such authors have deleted, as admins: where the branch is not known, they are shown, or awaited.
    private func deleted(by deceivers: Set<PeerID>, in conversation: ConversationID) -> [EventID] {
        guard !deceivers.isEmpty else { return [] }
        return history(of: conversation)
            .filter { $0.rich?.deletion.map { deceivers.contains($0.author) } == true }
            .map(\.id)
    }

    /// Authors of whom a log has as many branches as are synced, so that there may be displaced ones.
    private func deceivers(in conversation: ConversationID) -> Set<PeerID> {
        let all = branches.filter { $0.conversation == conversation }
        let many = all.filter { branch in all.count { $0.isRival(of: branch) } >= Limits.branchesPerLog }
        return Set(many.map(\.log.author))
    }

    /// The branches beyond those of a log that are synced, and their branches.
    private func displaced(in conversation: ConversationID) -> Set<LogID> {
        let all = branches.filter { $0.conversation == conversation }
        var found: Set<LogID> = []
        for branch in all {
            let smaller = all.count { $0.isRival(of: branch) && $0.log < branch.log }
            if smaller >= Limits.branchesPerLog { found.insert(branch.log) }
        }
        return found.reduce(into: found) { $0.formUnion(branches(below: LogKey(conversation, $1))) }
    }

    /// The lines of a conversation without some messages and without what is quoted of them.
    private func lines(of conversation: ConversationID, without hidden: Set<EventID>) -> [EventID: ShownMessage] {
        let lines = lines(of: conversation)
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
    package func rebuilt() throws -> SimulatedDisk {
        var other = SimulatedDisk(name: "rebuilt", identity: identity)
        var batch = PersistBatch(id: BatchID(0))
        batch.conversations = conversations
        batch.branches = snapshot.branches
        batch.membership = snapshot.membership
        for key in logs.keys.sorted(by: { ($1.conversation, $1.log) < ($0.conversation, $0.log) }) {
            batch.events += logs[key]?.events ?? []
        }
        try other.persist(batch)
        try other.adoptFloors(of: self)
        return other
    }
}

extension BranchRecord {
    /// Whether another branch forks at the same place.
    func isRival(of other: BranchRecord) -> Bool {
        base == other.base && (base.sequence > 0 || parent == other.parent)
    }
}

extension ShownMessage {
    /// A line without what it has of events that were given up, or of displaced branches; `nil` for one of a displaced
    /// branch, and for the line of a fork, which stands where the first of all branches does.
    ///
    /// - Parameter deceivers: those of whom there may be displaced branches.
    fileprivate func besides(
        _ displaced: Set<LogID>,
        _ given: Set<EventID>,
        _ deceivers: Set<PeerID>
    ) -> ShownMessage? {
        if displaced.contains(log) || note == .forked { return nil }
        var line = self
        if note == nil, deceivers.contains(log.author) { line.content = .text("") }
        guard case .rich(var rich) = line.content else { return line }
        rich.reactions = rich.reactions.compactMap { reaction in
            var reaction = reaction
            reaction.members.removeAll { deceivers.contains($0) }
            return reaction.members.isEmpty ? nil : reaction
        }
        if let quote = rich.quote, given.contains(quote.message.id) || deceivers.contains(quote.message.log.author) {
            rich.quote = nil
        }
        line.content = rich == RichMessage(text: rich.text) ? .text(rich.text) : .rich(rich)
        return line
    }

    /// Whether everything except the times is equal, and except the place in the order if that does not count.
    fileprivate func saysTheSame(as other: ShownMessage, inOrder isOrdered: Bool) -> Bool {
        if self == other { return true }
        var line = self
        line.time = other.time
        if !isOrdered { line.effective = other.effective }
        if case .rich(var rich) = line.content, let theirs = other.rich?.deletion {
            rich.deletion?.time = theirs.time
            line.content = .rich(rich)
        }
        return line == other
    }
}
