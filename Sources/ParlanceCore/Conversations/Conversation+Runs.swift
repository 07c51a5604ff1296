import ParlanceWire

// Where a run is kept: in the log that its headers name, or in a branch of that log (events.md, "Forks").
extension Conversation {
    /// Splits a run where the log splits: a run from a peer that does not know of the fork may begin before the base
    /// and end in a branch.
    func parts(of run: ReceivedRun) -> [ReceivedRun] {
        guard run.place == .unsaid, let base = branches(of: run.named).first?.base.sequence,
            held(of: run.named).sequence < base, let parts = run.parted(after: base)
        else { return [run] }
        return [parts.common, parts.beyond]
    }

    func place(of run: ReceivedRun) -> OnRun {
        guard branches[run.named] == nil else { return .broken(.eventsBranchName) }
        switch run.place {
        case .unsaid: return descend(from: run.named, run)
        case .malformed: return .nowhere
        case .log(let log):
            guard root(of: log) == run.named, log == run.named || branches[log] != nil, !displaced.contains(log) else {
                return .nowhere
            }
            return .log(log)
        }
    }

    /// A peer that does not know of a fork sends the events of a branch as if they were in the log.
    private func descend(from log: LogID, _ run: ReceivedRun) -> OnRun {
        let branches = branches(of: log)
        guard let base = branches.first?.base else { return .log(log) }
        if let branch = branches.first(where: { branch in run.events.contains { $0.id == branch.first } }) {
            return displaced.contains(branch.log) ? .nowhere : descend(from: branch.log, run)
        }
        let headers = run.events.compactMap(\.header)
        if headers.allSatisfy({ $0.sequence <= base.sequence }) { return .log(log) }
        guard headers.contains(where: { $0.sequence == base.sequence + 1 }) else { return .peerLacksFork }
        // The run starts another branch at a base that is already known.
        let suffix = run.events.filter { $0.header.map { $0.sequence > base.sequence } == true }
        guard let first = try? RunVerifier.verify(suffix, of: root(of: log), in: id, after: base).first,
            let record = branch(of: log, base, from: suffix, first: first.id)
        else { return .nowhere }
        return .newBranch(Split(log: log, base: base, branches: [record], own: nil))
    }
}
