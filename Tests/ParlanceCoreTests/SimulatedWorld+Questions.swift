import ParlanceCore
import ParlanceTestKit
import ParlanceWire
import Testing

// Questions to running nodes. Without an answer they throw, so that no test takes "no answer" for "no".
extension SimulatedWorld {
    /// The answer of a running node to a command that it answers at once.
    func ask(_ command: Command, of node: Int) throws -> Answer {
        let id = give(command, to: node)
        run(for: 0)
        return try #require(nodes[node].answers[id], "\(nodes[node].name) does not answer").get()
    }

    /// What a node knows of the progress of its conversations.
    func deliveries(of node: Int) throws -> [DeliveryView] {
        guard case .deliveries(let views) = try ask(.listDeliveries, of: node) else {
            throw EngineBench.Unexpected(what: "no deliveries")
        }
        return views
    }

    /// The peers that a node is linked with.
    func linked(with node: Int) throws -> [PeerID] {
        guard case .peers(let peers) = try ask(.listPeers, of: node) else {
            throw EngineBench.Unexpected(what: "no peers")
        }
        return peers.filter(\.connected).map(\.record.id)
    }

    /// Whether a node is linked with each of the others.
    func isLinked(_ node: Int, with others: Int...) throws -> Bool {
        let linked = try linked(with: node)
        return others.allSatisfy { linked.contains(nodes[$0].identity) }
    }

    /// Whether these nodes are linked, each with all others.
    func areLinked(_ group: Int...) throws -> Bool {
        try areLinked(group)
    }

    func areLinked(_ group: [Int]) throws -> Bool {
        try group.allSatisfy { node in
            let linked = try linked(with: node)
            return group.allSatisfy { $0 == node || linked.contains(nodes[$0].identity) }
        }
    }
}
