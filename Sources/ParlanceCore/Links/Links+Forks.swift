import FoundationEssentials
import ParlanceRecords
import ParlanceWire

// Sending the proofs of forks (sync.md, "Fork").
extension Links {
    /// Sends the proofs of forks whose branches the peer's clock does not all name, once per link.
    mutating func sendForks(of conversation: Conversation, on id: LinkID, _ turn: inout Turn) {
        guard !conversation.branches.isEmpty else { return }
        for parent in Set(conversation.branches.values.map(\.parent)).sorted() {
            guard let session = session(of: conversation.id, on: id), !session.wasToldFork(of: parent) else { continue }
            let theirs = session.theirs?.entries ?? [:]
            guard !conversation.syncedBranches(of: parent).allSatisfy({ theirs[$0.log] != nil }) else { continue }
            sendFork(of: parent, in: conversation, on: id, &turn)
        }
    }

    /// Sends the proof that a log is forked, unless it was sent on this link.
    mutating func sendForkOnce(of log: LogID, in conversation: Conversation, on id: LinkID, _ turn: inout Turn) {
        guard session(of: conversation.id, on: id)?.wasToldFork(of: log) == false else { return }
        sendFork(of: log, in: conversation, on: id, &turn)
    }

    /// Sends the proof that a log is forked.
    mutating func sendFork(of log: LogID, in conversation: Conversation, on id: LinkID, _ turn: inout Turn) {
        let (branches, bases) = (conversation.syncedBranches(of: log), conversation.provenBases(of: log))
        guard !bases.isEmpty else { return }
        change(conversation.id, on: id) { $0.toldFork(of: log) }
        // Branches with a later base may fork from one of the others: nothing of that is held here.
        for base in bases.sorted(by: { ($0.sequence, $0.head) < ($1.sequence, $1.head) }) {
            var fork = WireFork()
            fork.conversation = Data(conversation.id.bytes)
            fork.log = log.wire
            fork.branches = branches.filter { $0.base == base }.compactMap { WireFork.Branch(decoding: $0.proof) }
            send(.fork(fork), on: id, &turn)
        }
    }
}
