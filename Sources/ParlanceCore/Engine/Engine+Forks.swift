import ParlanceWire

// Logs with two different events in one place (events.md, "Forks").
//
// A restored backup, a cloned folder or a dishonest author makes one. Nothing of it is lost: from the place where they part
// each branch is a log of its own, by a name made from its first header, so everybody calls it the same.
extension Engine {
    /// Where a run is kept: in the log that its headers name, or in a branch of it. `nil` if that cannot be said yet.
    mutating func place(of run: ReceivedRun, on link: LinkID) -> LogID? {
        switch conversations[run.conversation]?.place(of: run) {
        case .log(let log): return log
        case .newBranch(let split):
            take(split, in: run.conversation)
            return split.branches.map(\.log).first { conversations[run.conversation]?.branches[$0] != nil }
        case .peerLacksFork:
            sendForks(of: run.conversation, on: link)
            sendClock(of: run.conversation, on: link, again: true)
        case .broken(let rule): breakLink(link, rule)
        case .nowhere, nil: break
        }
        return nil
    }

    /// Our own events around a run that does not continue a log were read.
    mutating func compared(_ own: [StoredEvent], with run: ReceivedRun, of key: LogKey, on id: LinkID) {
        guard let link = links[id] else { return }
        switch conversations[key.conversation]?.compare(run, in: key.log, with: own) {
        case .partsBefore(let sequence):
            links.change(key.conversation, on: id) { $0.searches(key.log) }
            links.ask(for: key, after: sequence, on: id, &turn)
        case .parts(let split, let theirs, let branch):
            take(split, in: key.conversation)
            hold(theirs, from: link, LogKey(key.conversation, branch))
            links.change(key.conversation, on: id) { $0.owes(branch) }
        case .broken(let rule): breakLink(id, rule)
        case .nothing, nil: break
        }
    }

    mutating func forkReceived(_ wire: WireFork, on id: LinkID) {
        guard let fork = ReceivedFork(wire) else { return breakLink(id, .forkFields) }
        forkReceived(fork, on: id)
    }

    mutating func forkReceived(_ fork: ReceivedFork, on id: LinkID) {
        guard let link = links[id], admits(fork.conversation, with: link.peer),
            let outcome = conversations[fork.conversation]?.received(fork, identity)
        else { return }
        follow(outcome, fork, on: id)
    }

    /// Our own events around the place where a log parts were read.
    mutating func judge(_ fork: ReceivedFork, own: [StoredEvent], on id: LinkID) {
        guard let outcome = conversations[fork.conversation]?.judge(fork, own: own) else { return }
        follow(outcome, fork, on: id)
    }

    private mutating func follow(_ outcome: OnFork, _ fork: ReceivedFork, on id: LinkID) {
        switch outcome {
        case .read(let request): turn.read(request, for: .split(id, fork))
        case .wait: turn.takeLater(fork, from: id)
        case .parts(let split): take(split, in: fork.conversation)
        case .broken(let rule): breakLink(id, rule)
        case .nothing: break
        }
    }

    /// From now on each branch is a log of its own. If it is our own log that parts, this node's store was rolled back or copied.
    private mutating func take(_ split: Split, in conversation: ConversationID) {
        if split.log == ownLog { conversations.takeNewReplica(&turn) }
        for log in conversations.take(split, in: conversation, &turn) { links.forget(log, in: conversation) }
    }

    /// A log parts, durably: each peer that takes the conversation is given the proof.
    mutating func tellFork(of forked: LogID, in id: ConversationID) {
        guard let conversation = conversations[id] else { return }
        for link in links.inOrder where link.sessions[id]?.hearsChanges == true {
            links.sendFork(of: forked, in: conversation, on: link.id, &turn)
            sendClock(of: id, on: link.id, again: true)
            conversations.sendMarks(of: id, on: link.id, links, &turn) {
                $0 == forked || conversation.branches[$0]?.parent == forked
            }
            takeWaitingMarks(of: id, on: link.id)
            // It may have named the branch before it was known here to be one.
            recordDelivered(of: id, on: link.id)
        }
    }
}
