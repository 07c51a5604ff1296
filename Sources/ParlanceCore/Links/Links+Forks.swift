import Foundation
import ParlanceWire

// Giving the proofs of forks to peers (sync.md, "Fork").
extension Links {
    /// Gives the proofs to a peer whose clock does not name all of the branches that are synced, once on each link.
    mutating func sendForks(of conversation: Conversation, on id: LinkID, _ turn: inout Turn) {
        guard !conversation.branches.isEmpty else { return }
        for parent in Set(conversation.branches.values.map(\.parent)).sorted() {
            guard let session = session(of: conversation.id, on: id), !session.wasToldFork(of: parent) else { continue }
            let theirs = session.theirs?.entries ?? [:]
            guard !conversation.syncedBranches(of: parent).allSatisfy({ theirs[$0.log] != nil }) else { continue }
            sendFork(of: parent, in: conversation, on: id, &turn)
        }
    }

    /// Gives the proof that a log parts.
    mutating func sendFork(of log: LogID, in conversation: Conversation, on id: LinkID, _ turn: inout Turn) {
        let branches = conversation.syncedBranches(of: log)
        guard branches.count > 1 else { return }
        change(conversation.id, on: id) { $0.toldFork(of: log) }
        var fork = WireFork()
        fork.conversation = Data(conversation.id.bytes)
        fork.log = log.wire
        fork.branches = branches.compactMap { WireFork.Branch(decoding: $0.proof) }
        send(.fork(fork), on: id, &turn)
    }
}
