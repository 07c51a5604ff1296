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
            for proofs in Self.portions(of: branches.filter { $0.base == base }.map(\.proof)) {
                var fork = WireFork()
                fork.conversation = Data(conversation.id.bytes)
                fork.log = log.wire
                fork.branches = proofs.compactMap { WireFork.Branch(decoding: $0) }
                send(.fork(fork), on: id, &turn)
            }
        }
    }

    /// Divides the branches of one base among frames. The shortest is in each of them, because a branch alone proves no
    /// fork. What came in one frame fits into a frame with the shortest. A longer branch, which only its author can make, is
    /// left out.
    static func portions(of proofs: [[UInt8]]) -> [[[UInt8]]] {
        let bytes = { (part: [[UInt8]]) in part.reduce(0) { $0 + $1.count } }
        guard bytes(proofs) > Limits.runBytes, let shortest = proofs.min(by: { $0.count < $1.count }) else {
            return [proofs]
        }
        var others = proofs
        if let first = others.firstIndex(of: shortest) { others.remove(at: first) }
        var portions: [[[UInt8]]] = [[shortest]]
        for proof in others where shortest.count + proof.count <= Limits.runBytes {
            if bytes(portions[portions.count - 1]) + proof.count > Limits.runBytes { portions.append([shortest]) }
            portions[portions.count - 1].append(proof)
        }
        return portions.filter { $0.count > 1 }
    }
}
