import ParlanceRecords
import ParlanceWire

// Where a run is kept: in the log that its headers name, or in a branch of that log (events.md, "Forks").
extension Conversation {
    /// Splits a run where its log splits: one from a peer that does not know of the forks may begin before a base and end in
    /// a branch of a branch. A part that begins a known branch is placed there.
    func parts(of run: ReceivedRun) -> [ReceivedRun] {
        guard var log = run.log else { return [run] }
        var (parts, rest) = ([ReceivedRun](), run)
        while let base = firstFork(of: log)?.sequence {
            if let split = rest.parted(after: base) {
                if held(of: log).sequence < base { parts.append(split.common) }
                rest = split.beyond
            }
            guard let branch = branches(of: log).first(where: { $0.first == rest.events.first?.id }) else { break }
            log = branch.log
            rest.place = .log(log)
        }
        return parts + [rest]
    }

    /// A peer that does not know of a fork sends the events of a branch as if they were in the log.
    func place(of run: ReceivedRun) throws(Breach) -> RunPlacement {
        guard branches[run.named] == nil else { throw .eventsBranchName }
        guard let log = run.log, root(of: log) == run.named, log == run.named || branches[log] != nil,
            !displaced.contains(log)
        else { return .nowhere }
        guard let base = firstFork(of: log) else {
            return misplaced(in: run, of: log).map { .moves($0) } ?? .log(log)
        }
        let headers = run.events.compactMap(\.header)
        if headers.allSatisfy({ $0.sequence <= base.sequence }) { return .log(log) }
        guard headers.contains(where: { $0.sequence == base.sequence + 1 }) else { return .peerLacksFork }
        // The run starts another branch at a base that is already known.
        let suffix = run.events.filter { $0.header.map { $0.sequence > base.sequence } == true }
        let events: [StoredEvent]
        do throws(RunVerifier.Failure) {
            events = try RunVerifier.verify(suffix, of: run.named, in: id, after: base)
        } catch .breach(.eventSignature) {
            throw .eventSignature
        } catch {
            // A peer that knows of an earlier fork sends what does not follow this base.
            return .nowhere
        }
        guard let first = events.first, let record = branch(of: log, base, from: suffix, first: first.id) else {
            return .nowhere
        }
        return .newBranch(Split(log: log, base: base, branches: [record], own: nil))
    }

    /// Branches that were heard of before the log from which they fork: a run of that log has the first event of one.
    private func misplaced(in run: ReceivedRun, of log: LogID) -> Split? {
        guard !branches.isEmpty else { return nil }
        let first = run.events.lazy.compactMap { self.branches[LogID(branchOf: run.named, first: $0.id)] }
            .first { $0.parent != log && $0.base.sequence > start(of: log).sequence }
        guard let first, held(of: log).sequence <= first.base.sequence else { return nil }
        let moved = branches(of: first.parent).filter { $0.base == first.base }.map { branch in
            var branch = branch
            branch.parent = log
            return branch
        }
        return moved.allSatisfy(isMoved) ? Split(log: log, base: first.base, branches: moved, own: nil) : nil
    }

    /// Where a log ends: the base of its branches. Some of them may turn out to fork from others, at a later base.
    private func firstFork(of log: LogID) -> LogPosition? {
        branches(of: log).map(\.base).min { $0.sequence < $1.sequence }
    }
}
