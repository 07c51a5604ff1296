import ParlanceRecords
import ParlanceWire

// Forks: logs with two different events at the same position (events.md, "Forks").
//
// A restored backup, a cloned folder or a dishonest author creates one. No event is lost: after the base, each branch
// is a log of its own. Its name is derived from its first header, so all nodes name it alike.
extension Engine {
    /// The log in which a run is kept: the one that its headers name, or a branch of it; `nil` if that cannot be
    /// decided yet.
    mutating func place(of run: ReceivedRun, on link: LinkID) throws(Breach) -> LogID? {
        switch try conversations[run.conversation]?.place(of: run) {
        case .log(let log): return log
        case .newBranch(let split):
            take(split, in: run.conversation)
            let known = split.branches.map(\.log).first { conversations[run.conversation]?.branches[$0] != nil }
            // What follows may be in a branch of that branch which is known already.
            guard let known else { return nil }
            var placed = run
            placed.place = .log(known)
            return try place(of: placed, on: link)
        case .moves(let split):
            take(split, in: run.conversation)
            sendClock(of: run.conversation, on: link, again: true)
        case .peerLacksFork:
            sendForks(of: run.conversation, on: link)
            sendClock(of: run.conversation, on: link, again: true)
        case .nowhere, nil: break
        }
        return nil
    }

    /// The events held around a run that does not continue its log were read.
    mutating func compared(_ own: [StoredEvent], with run: ReceivedRun, of key: LogKey, on id: LinkID) throws(Breach) {
        guard let link = links[id] else { return }
        switch try conversations[key.conversation]?.compare(run, in: key.log, with: own) {
        case .partsBefore(let sequence):
            links.change(key.conversation, on: id) { $0.searches(key.log) }
            links.ask(for: key, after: sequence, on: id, &turn)
        case .parts(let split, let theirs, let branch):
            take(split, in: key.conversation)
            hold(theirs, via: link.peer, LogKey(key.conversation, branch))
            links.change(key.conversation, on: id) { $0.owes(branch) }
        case .nothing, nil: break
        }
    }

    mutating func forkReceived(_ wire: WireFork, on id: LinkID) throws(Breach) {
        guard let link = links[id], let conversation = ConversationID(wire.conversation) else {
            throw .forkFields
        }
        // Decode a proof, which can fill a frame, only if it can count.
        guard admits(conversation, with: link.peer) else { return }
        guard let fork = ReceivedFork(wire) else { throw .forkFields }
        try forkReceived(fork, on: id)
    }

    mutating func forkReceived(_ fork: ReceivedFork, on id: LinkID) throws(Breach) {
        guard let link = links[id], admits(fork.conversation, with: link.peer),
            let outcome = try conversations[fork.conversation]?.received(fork, identity)
        else { return }
        follow(outcome, fork, on: id)
    }

    /// The events held around the position of a claimed fork were read.
    mutating func judge(_ fork: ReceivedFork, own: [StoredEvent], on id: LinkID) throws(Breach) {
        guard let outcome = try conversations[fork.conversation]?.judge(fork, own: own) else { return }
        follow(outcome, fork, on: id)
    }

    private mutating func follow(_ outcome: ForkOutcome, _ fork: ReceivedFork, on id: LinkID) {
        switch outcome {
        case .read(let request): turn.read(request, for: .split(id, fork))
        case .wait: turn.takeLater(fork, from: id)
        case .unread:
            // The store does not know a branch by its name until the branch is on disk.
            let new = turn.batch.rows.branches + (turn.writing?.rows.branches ?? [])
            if new.contains(where: { $0.log == fork.log && $0.conversation == fork.conversation }) {
                return turn.takeLater(fork, from: id)
            }
            // A proof is sent once on a link. A new link tries again.
            close(id, .unspecified)
        case .parts(let split): take(split, in: fork.conversation)
        case .nothing: break
        }
    }

    /// Makes each branch a log of its own. If our log was forked, this node's store was rolled back or copied.
    private mutating func take(_ split: Split, in conversation: ConversationID) {
        if split.log == ownLog { conversations.takeNewReplica(&turn) }
        for log in conversations.take(split, in: conversation, &turn) { links.forget(log, in: conversation) }
    }

    /// Sends the proof of a durable fork to each peer that exchanges the conversation.
    mutating func tellFork(of forked: LogID, in id: ConversationID) {
        guard let conversation = conversations[id] else { return }
        for link in links.inOrder where link.sessions[id]?.hearsChanges == true {
            links.sendFork(of: forked, in: conversation, on: link.id, &turn)
            sendClock(of: id, on: link.id, again: true)
            conversations.sendMarks(of: id, on: link.id, links, &turn) {
                $0 == forked || conversation.branches[$0]?.parent == forked
            }
            takeWaitingMarks(of: id, on: link.id)
            // The peer may have named the branch before this node knew of the fork.
            recordDelivered(of: id, on: link.id)
        }
    }
}
