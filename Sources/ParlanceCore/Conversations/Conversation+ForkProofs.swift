import ParlanceRecords
import ParlanceWire

// Proofs of forks from peers (sync.md, "Fork").
extension Conversation {
    /// Takes a proof. If events are held beyond the place where the branches split, they have to be read first.
    func received(_ fork: ReceivedFork, _ identity: PeerID) throws(Breach) -> ForkOutcome {
        guard mayWrite(fork.log.author, identity) else { return .nothing }
        guard let place = fork.place else { throw .forkHeader }
        guard let state = logs[fork.log], state.held.sequence >= place else { return try judge(fork, own: []) }
        guard state.held == state.durable.position else { return .wait }
        let request = ReadRequest(
            conversation: id,
            log: fork.log,
            from: max(start(of: fork.log).sequence + 1, place - min(place, 1)),
            through: min(state.durable.position.sequence, place + UInt64(Limits.eventsPerHead)),
            byteLimit: 4 * Limits.runBytes
        )
        return .read(request)
    }

    /// Verifies a proof and finds which of its branches our own events belong to.
    ///
    /// - Parameter own: our events of the log around the split.
    func judge(_ fork: ReceivedFork, own: [StoredEvent]) throws(Breach) -> ForkOutcome {
        let log = fork.log
        guard !displaced.contains(log) else { return .nothing }
        // It is about a branch that is not known here: nobody can tell from which log its headers come.
        let named = fork.branches.first?.first?.header?.log
        if logs[log] == nil, branches[log] == nil, named?.author == log.author, named != log { return .nothing }
        var records: [BranchRecord] = []
        var parted: LogPosition?
        for proof in fork.branches {
            let first = try RunVerifier.verify(proof: proof, of: root(of: log), in: id)
            let common = LogPosition(
                sequence: first.header.sequence - 1,
                head: first.header.previous ?? LogPosition.start.head
            )
            guard parted == nil || parted == common, !records.contains(where: { $0.first == first.id }) else {
                throw .forkBranches
            }
            parted = common
            guard let record = branch(of: log, common, from: proof, first: first.id) else { return .nothing }
            records.append(record)
        }
        if let state = logs[log], state.held != state.durable.position { return .wait }
        guard let base = parted else { return .nothing }
        let beyond = own.filter { $0.header.sequence > base.sequence }
        guard held(of: log).sequence <= base.sequence || beyond.first?.header.sequence == base.sequence + 1 else {
            return .unread
        }
        // A split at the start of a branch is a split of its parent, so it is ignored here.
        guard branches[log].map({ $0.base.sequence < base.sequence }) ?? true,
            isHeld(base, of: log, own), !branches(of: log).contains(where: { $0.base.sequence < base.sequence })
        else { return .nothing }
        return .parts(split(log, base, records, beyond))
    }

    /// Our own events beyond the base belong to one of the proven branches, or to an additional one.
    private func split(_ log: LogID, _ base: LogPosition, _ proven: [BranchRecord], _ beyond: [StoredEvent]) -> Split {
        guard let first = beyond.first else { return Split(log: log, base: base, branches: proven, own: nil) }
        if let ours = proven.first(where: { $0.first == first.id }) {
            return Split(log: log, base: base, branches: proven, own: ours)
        }
        let ours = branch(of: log, base, from: beyond.map { ReceivedEvent($0) }, first: first.id)
        return Split(log: log, base: base, branches: proven + [ours].compactMap { $0 }, own: ours)
    }
}
