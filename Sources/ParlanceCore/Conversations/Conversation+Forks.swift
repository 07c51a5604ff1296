import ParlanceWire

// Logs of one conversation that part (events.md, "Forks").
extension Conversation {
    /// A branch with its proof: the headers up to the first signed one.
    func branch(
        of parent: LogID,
        _ base: LogPosition,
        from events: [ReceivedEvent],
        first: EventID
    ) -> BranchRecord? {
        guard let head = events.firstIndex(where: { !$0.signature.isEmpty }), head < Limits.eventsPerHead else {
            return nil
        }
        var proof = WireFork.Branch()
        proof.events = events[...head].map(\.bare)
        return BranchRecord(
            conversation: id,
            log: LogID(branchOf: root(of: parent), first: first),
            parent: parent,
            base: base,
            first: first,
            proof: proof.encodedBytes()
        )
    }

    /// From now on each branch is a log of its own.
    ///
    /// - Returns: the logs that are not synced any more as they were.
    mutating func take(_ split: Split, _ turn: inout Turn) -> [LogID] {
        let (log, base, own) = (split.log, split.base, split.own)
        let rivals = branches(of: log).filter { $0.base == base }.map(\.log)
        let kept = Set(Set(rivals + split.branches.map(\.log)).sorted().prefix(Limits.branchesPerLog))
        // Whoever has written a log under the name of a branch to come has spoilt it for itself. What is held here is kept,
        // whatever its name.
        let new = split.branches.filter { record in
            branches[record.log] == nil && logs[record.log] == nil && (kept.contains(record.log) || record == own)
        }
        guard !new.isEmpty, own.map({ branches[$0.log] != nil || new.contains($0) }) ?? true else { return [] }
        let displacedBefore = displaced
        turn.batch.rows.branches += part(log, at: base, into: new, own: own?.log) + new
        turn.batch.isUrgent = true
        marks.clamp(log, to: base, moving: own?.log, &turn)
        let gone = displaced.subtracting(displacedBefore).sorted() + [log]
        for log in gone { dropWant(log) }
        turn.emit(.report(log.author, .forkedLog))
        turn.whenDurable(.tellFork(id, log))
        return gone
    }

    /// Whether what is held here has the event in common from which others part: else it parted before.
    ///
    /// - Parameter own: events of the log that are held around the place.
    func isHeld(_ base: LogPosition, of log: LogID, _ own: [StoredEvent]) -> Bool {
        let (held, start) = (held(of: log), start(of: log))
        if base.sequence == start.sequence { return base == start }
        if held.sequence == base.sequence { return held == base }
        return held.sequence < base.sequence || own.contains { $0.position == base }
    }
}
