import ParlanceRecords
import ParlanceWire

// Forks of the logs of one conversation (events.md, "Forks").
extension Conversation {
    /// Where an event may be held whose header names a log: in that log, or in the branches that reach so far.
    func places(of sequence: UInt64, named log: LogID) -> [LogID] {
        logs(of: log.author).filter {
            root(of: $0) == log && start(of: $0).sequence < sequence && sequence <= held(of: $0).sequence
        }
    }

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

    /// Makes each branch a log of its own.
    ///
    /// - Returns: the logs whose state on links is obsolete.
    mutating func take(_ split: Split, _ turn: inout Turn) -> [LogID] {
        let (log, base, own) = (split.log, split.base, split.own)
        let rivals = branches(of: log).filter { $0.base == base }.map(\.log)
        let kept = Set(Set(rivals + split.branches.map(\.log)).sorted().prefix(Limits.branchesPerLog))
        // An author that wrote a log under the name of a future branch made that branch unusable. Keep what is held
        // here, whatever its name.
        let new = split.branches.filter { record in
            branches[record.log] == nil && logs[record.log] == nil && (kept.contains(record.log) || record == own)
                || isMoved(record)
        }
        guard !new.isEmpty, own.map({ branches[$0.log] != nil || new.contains($0) }) ?? true else { return [] }
        let displacedBefore = displaced
        turn.batch.rows.branches += part(log, at: base, into: new, own: own?.log) + new
        turn.batch.isUrgent = true
        uncover()
        marks.clamp(log, to: base, moving: own?.log, &turn)
        let gone = displaced.subtracting(displacedBefore).sorted() + [log]
        for log in gone { dropWant(log) }
        turn.emit(.report(log.author, .forkedLog))
        turn.whenDurable(.tellFork(id, log))
        return gone
    }

    /// Whether the log as held here contains the last common event of the branches. If not, the log split earlier.
    ///
    /// - Parameter own: events of the log that are held around the split.
    func isHeld(_ base: LogPosition, of log: LogID, _ own: [StoredEvent]) -> Bool {
        let (held, start) = (held(of: log), start(of: log))
        if base.sequence == start.sequence { return base == start }
        if held.sequence == base.sequence { return held == base }
        return held.sequence < base.sequence || own.contains { $0.position == base }
    }
}
