import Foundation
import ParlanceWire

// Proofs of forks: given to others, and taken from them (sync.md, "Fork").
extension Engine {
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

    mutating func forkReceived(_ fork: WireFork, on id: LinkID) {
        guard let link = links[id], let conversation = ConversationID(fork.conversation), let log = LogID(fork.log),
            (2...Limits.branchesPerLog).contains(fork.branches.count)
        else { return breakLink(id, .forkFields) }
        guard admits(conversation, with: link.peer), conversations[conversation]?.mayWrite(log.author, identity) == true
        else { return }
        let key = LogKey(conversation, log)
        let start = conversations[conversation]?.start(of: log) ?? .start
        let held = conversations[conversation]?.logs[log]
        guard let first = fork.branches.first?.events.first,
            let sequence = (try? EventHeader(decoding: [UInt8](first.header)))?.sequence
        else { return breakLink(id, .forkHeader) }
        // What is held beyond the place where they part has to be looked at first.
        guard let held, held.held.position.sequence >= sequence else {
            return split(key, by: fork, own: [], on: id)
        }
        guard held.held.position == held.durable.position else { return takeForkLater(fork, key, on: id) }
        let through = min(held.durable.position.sequence, sequence + UInt64(Limits.eventsPerHead))
        let request = ReadRequest(
            conversation: conversation,
            log: log,
            from: max(start.sequence + 1, sequence - min(sequence, 1)),
            through: through,
            byteLimit: 4 * Limits.runBytes
        )
        turn.read(request, for: .split(id, key, fork))
    }

    /// What is being written is not read yet.
    private mutating func takeForkLater(_ fork: WireFork, _ key: LogKey, on id: LinkID) {
        let isWaiting = turn.batch.after.contains { followup in
            if case .takeFork(id, key, _) = followup { true } else { false }
        }
        if !isWaiting { turn.whenDurable(.takeFork(id, key, fork)) }
    }

    mutating func split(_ key: LogKey, by fork: WireFork, own: [StoredEvent], on id: LinkID) {
        guard let conversation = conversations[key.conversation] else { return }
        guard !conversation.displaced.contains(key.log) else { return }
        let root = conversation.root(of: key.log)
        var records: [BranchRecord] = []
        var base: LogPosition?
        for proof in fork.branches {
            let first: StoredEvent
            do {
                first = try RunVerifier.verify(proof: proof, of: root, in: key.conversation)
            } catch {
                return breakLink(id, error.breach)
            }
            let common = LogPosition(
                sequence: first.header.sequence - 1,
                head: first.header.previous ?? LogPosition.start.head
            )
            guard base == nil || base == common, !records.contains(where: { $0.first == first.id }) else {
                return breakLink(id, .forkBranches)
            }
            base = common
            guard
                let record = conversation.branch(
                    of: key.log,
                    common,
                    from: proof.events.map { ReceivedEvent($0) },
                    first: first.id
                )
            else { return }
            records.append(record)
        }
        // What parts where a branch begins, parts from the log above.
        if let state = conversation.logs[key.log], state.held.position != state.durable.position {
            return takeForkLater(fork, key, on: id)
        }
        guard let base, conversation.branches[key.log].map({ $0.base.sequence < base.sequence }) ?? true,
            conversation.isHeld(base, of: key.log, own),
            !conversation.branches(of: key.log).contains(where: { $0.base.sequence < base.sequence })
        else { return }
        let beyond = own.filter { $0.header.sequence > base.sequence }
        // What is held beyond it has not been looked at.
        guard
            beyond.first?.header.sequence == base.sequence + 1
                || conversation.held(of: key.log).sequence <= base.sequence
        else { return }
        var ours = records.first { $0.first == beyond.first?.id }
        if ours == nil, let first = beyond.first {
            // A third one.
            let received = beyond.map { ReceivedEvent($0) }
            ours = conversation.branch(of: key.log, base, from: received, first: first.id)
            if let ours { records.append(ours) }
        }
        if key.log == ownLog { takeNewReplica() }
        split(key, base, records, own: ours)
    }
}
