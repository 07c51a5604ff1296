import ParlanceRecords
import ParlanceWire

// A run that does not continue what is held. Comparing it with our own events around it shows where the two branches
// split (events.md, "Forks").
extension Conversation {
    /// How many events the first step back goes when looking for the place where two branches split. The step doubles.
    private static var firstStepBack: UInt64 { 64 }

    /// Reads the events that a run has to be compared with, unless the maximum number of the peer's runs is being
    /// compared already.
    func compareLater(_ run: ReceivedRun, in log: LogID, on link: LinkID, _ turn: inout Turn) {
        guard let state = logs[log], state.held == state.durable.position,
            let header = run.events.first?.header,
            turn.reads.count(where: { if case .compare(link, _, _) = $0 { true } else { false } }) < Limits.comparedRuns
        else { return }
        let last = header.sequence + UInt64(run.events.count) + UInt64(Limits.eventsPerHead)
        let request = ReadRequest(
            conversation: id,
            log: log,
            from: max(start(of: log).sequence + 1, header.sequence - 1),
            through: min(last, state.durable.position.sequence),
            byteLimit: 4 * Limits.runBytes
        )
        turn.read(request, for: .compare(link, LogKey(id, log), run))
    }

    /// Compares a run with our own events of the same log that were read.
    func compare(_ run: ReceivedRun, in log: LogID, with own: [StoredEvent]) throws(Breach) -> BranchComparison {
        guard let state = logs[log], state.held == state.durable.position,
            // Another comparison may have split the log meanwhile.
            own.last.map({ $0.header.sequence <= state.held.sequence }) ?? true
        else { return .nothing }
        let ownIDs = Dictionary(own.map { ($0.header.sequence, $0.id) }) { $1 }
        let start = start(of: log)
        for (index, event) in run.events.enumerated() {
            guard let header = event.header else { return .nothing }
            guard header.sequence > start.sequence else { continue }
            let ours = ownIDs[header.sequence]
            guard ours != event.id else { continue }
            let before = header.sequence - 1
            guard let common = before == start.sequence ? start.head : ownIDs[before],
                header.previous ?? LogPosition.start.head == common
            else {
                guard before > start.sequence else { throw .eventsChain }
                let held = state.held.sequence
                let back = 2 * (held - min(held, before)) + Self.firstStepBack
                return .partsBefore(max(start.sequence, before - min(before, back)))
            }
            // The run continues what is held by now.
            guard ours != nil else { return .nothing }
            // A run that differs from the first event of a branch belongs to another branch and must not name this one.
            guard before > start.sequence || branches[log] == nil else { throw .eventsBranchStart }
            let base = LogPosition(sequence: before, head: common)
            return try parted(log, at: base, own.filter { $0.header.sequence > before }, Array(run.events[index...]))
        }
        return .nothing
    }

    /// The two branches split here, provided that the peer's events are valid.
    private func parted(
        _ log: LogID,
        at base: LogPosition,
        _ own: [StoredEvent],
        _ theirs: [ReceivedEvent]
    ) throws(Breach) -> BranchComparison {
        guard let first = theirs.first, let ownFirst = own.first,
            let ours = branch(of: log, base, from: own.map { ReceivedEvent($0) }, first: ownFirst.id),
            let other = branch(of: log, base, from: theirs, first: first.id)
        else { return .nothing }
        do {
            let events = try RunVerifier.verify(theirs, of: root(of: log), branch: other.log, in: id, after: base)
            let split = Split(log: log, base: base, branches: [ours, other], own: ours)
            return .parts(split, theirs: events, in: other.log)
        } catch {
            throw error.breach
        }
    }
}
