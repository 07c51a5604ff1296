import Foundation
import ParlanceSodium
import ParlanceWire

// Logs with two different events in one place (events.md, "Forks").
//
// A restored backup, a cloned folder or a dishonest author makes one. Nothing of it is lost: from the place where they part
// each branch is a log of its own, by a name made from its first header, so everybody calls it the same.
extension Engine {
    mutating func takeNewReplica() { conversations.takeNewReplica(&turn) }

    /// Where a run is kept: in the log that its headers name, or in a branch of it. `nil` if that cannot be said yet.
    mutating func place(of run: ReceivedRun, on link: LinkID) -> LogID? {
        guard let conversation = conversations[run.conversation] else { return nil }
        guard conversation.branches[run.named] == nil else {
            breakLink(link, .eventsBranchName)
            return nil
        }
        switch run.place {
        case .unsaid: return descend(from: run.named, run, conversation, on: link)
        case .malformed: return nil
        case .log(let log):
            guard conversation.root(of: log) == run.named, log == run.named || conversation.branches[log] != nil
            else { return nil }
            return conversation.displaced.contains(log) ? nil : log
        }
    }

    /// Who does not know of a fork sends what is in a branch as if it were in the log.
    private mutating func descend(
        from log: LogID,
        _ run: ReceivedRun,
        _ conversation: Conversation,
        on link: LinkID
    ) -> LogID? {
        let branches = conversation.branches(of: log)
        guard let base = branches.first?.base else { return log }
        if let branch = branches.first(where: { branch in run.events.contains { $0.id == branch.first } }) {
            guard !conversation.displaced.contains(branch.log) else { return nil }
            return descend(from: branch.log, run, conversation, on: link)
        }
        let headers = run.events.compactMap(\.header)
        if headers.allSatisfy({ $0.sequence <= base.sequence }) { return log }
        if headers.contains(where: { $0.sequence == base.sequence + 1 }) {
            return addBranch(run, to: log, base, conversation)
        }
        sendForks(of: conversation.id, on: link)
        sendClock(of: conversation.id, on: link, again: true)
        return nil
    }

    /// One more branch of a log that is known to have some.
    ///
    /// - Returns: its name, if it is kept.
    private mutating func addBranch(
        _ run: ReceivedRun,
        to log: LogID,
        _ base: LogPosition,
        _ conversation: Conversation
    ) -> LogID? {
        let suffix = run.events.filter { $0.header.map { $0.sequence > base.sequence } == true }
        let root = conversation.root(of: log)
        guard let first = try? RunVerifier.verify(suffix, of: root, in: conversation.id, after: base).first,
            let record = conversation.branch(of: log, base, from: suffix, first: first.id)
        else { return nil }
        split(LogKey(conversation.id, log), base, [record], own: nil)
        return conversations[conversation.id]?.branches[record.log] == nil ? nil : record.log
    }

    /// Runs of one peer that are compared with what is held at the same time.
    private static var comparisons: Int { 4 }

    /// How many events back one looks first for where two branches part; it doubles.
    private static var firstStepBack: UInt64 { 64 }

    /// A run does not continue what is held: the own events around it say where they part.
    mutating func forkSuspected(_ run: ReceivedRun, of key: LogKey, on id: LinkID) {
        guard let state = conversations[key.conversation]?.logs[key.log], state.held.position == state.durable.position,
            let header = run.events.first?.header,
            turn.reads.count(where: { if case .compare(id, _, _) = $0 { true } else { false } }) < Self.comparisons
        else { return }
        let start = conversations[key.conversation]?.start(of: key.log) ?? .start
        let last = header.sequence + UInt64(run.events.count) + UInt64(Limits.eventsPerHead)
        let request = ReadRequest(
            conversation: key.conversation,
            log: key.log,
            from: max(start.sequence + 1, header.sequence - 1),
            through: min(last, state.durable.position.sequence),
            byteLimit: 4 * Limits.runBytes
        )
        turn.read(request, for: .compare(id, key, run))
    }

    mutating func compared(_ own: [StoredEvent], with run: ReceivedRun, of key: LogKey, on id: LinkID) {
        guard let conversation = conversations[key.conversation], let state = conversation.logs[key.log],
            state.held.position == state.durable.position,
            // Another comparison may have found the place meanwhile.
            own.last.map({ $0.header.sequence <= state.held.position.sequence }) ?? true
        else { return }
        let ownIDs = Dictionary(own.map { ($0.header.sequence, $0.id) }) { $1 }
        let start = conversation.start(of: key.log)
        for (index, event) in run.events.enumerated() {
            guard let header = event.header else { return }
            guard header.sequence > start.sequence else { continue }
            let ours = ownIDs[header.sequence]
            guard ours != event.id else { continue }
            let before = header.sequence - 1
            guard let common = before == start.sequence ? start.head : ownIDs[before],
                header.previous ?? LogPosition.start.head == common
            else {
                guard before > start.sequence else { return breakLink(id, .eventsChain) }
                let held = state.held.position.sequence
                let back = 2 * (held - min(held, before)) + Self.firstStepBack
                links.change(key.conversation, on: id) { $0.searches(key.log) }
                return links.ask(for: key, after: max(start.sequence, before - min(before, back)), on: id, &turn)
            }
            // It continues what is held by now.
            guard ours != nil else { return }
            // What parts where a branch begins is another branch, and does not go by the name of this one.
            guard before > start.sequence || conversation.branches[key.log] == nil else {
                return breakLink(id, .eventsBranchStart)
            }
            let base = LogPosition(sequence: before, head: common)
            return forked(
                key,
                at: base,
                own.filter { $0.header.sequence > before },
                Array(run.events[index...]),
                on: id
            )
        }
    }

    /// Two valid branches part here.
    private mutating func forked(
        _ key: LogKey,
        at base: LogPosition,
        _ own: [StoredEvent],
        _ theirs: [ReceivedEvent],
        on id: LinkID
    ) {
        guard let conversation = conversations[key.conversation], let link = links[id] else { return }
        let root = conversation.root(of: key.log)
        guard let first = theirs.first, let ownFirst = own.first,
            let ours = conversation.branch(
                of: key.log,
                base,
                from: own.map { ReceivedEvent($0) },
                first: ownFirst.id
            ),
            let other = conversation.branch(of: key.log, base, from: theirs, first: first.id)
        else { return }
        do {
            let events = try RunVerifier.verify(
                theirs,
                of: root,
                branch: other.log,
                in: key.conversation,
                after: base
            )
            if root.author == identity && key.log == ownLog { takeNewReplica() }
            split(key, base, [ours, other], own: ours)
            hold(events, from: link, LogKey(key.conversation, other.log))
            links.change(key.conversation, on: id) { $0.owes(other.log) }
        } catch {
            breakLink(id, error.breach)
        }
    }

    /// From now on each branch is a log of its own.
    ///
    /// - Parameter own: the branch that what is held beyond the common part belongs to.
    mutating func split(_ key: LogKey, _ base: LogPosition, _ branches: [BranchRecord], own: BranchRecord?) {
        let gone = conversations[key.conversation]?.split(key.log, base, branches, own: own, &turn) ?? []
        for log in gone { links.forget(log, in: key.conversation) }
    }
}
