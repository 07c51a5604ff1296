package import ParlanceWire

/// The peers that a node could link with, and which of them it links with if there are too many
/// (discovery.md, "Many members").
package struct Reach {
    /// In the order of their IDs.
    package var peers: [PeerID] = []
    /// Peers with messages or requests: they are always linked.
    var talked: Set<PeerID> = []

    package init(peers: [PeerID] = []) {
        self.peers = peers
    }

    /// Whether there are too many to link with each.
    var isLarge: Bool { peers.count > Limits.membersAllLinked }

    /// Whether two peers are neighbours: their distance on the ring of all peers in order is 1, 2, 4... 128. Both sides
    /// compute the same, and any peer is reachable in few hops.
    package func areNeighbours(_ a: PeerID, _ b: PeerID) -> Bool {
        let (lower, upper) = a < b ? (a, b) : (b, a)
        let between = rank(upper) - rank(after: lower)
        let besides = peers.count - (contains(a) ? 1 : 0) - (contains(b) ? 1 : 0)
        let distance = between + 1
        let around = besides - between + 1
        return Self.isStep(distance) || Self.isStep(around)
    }

    /// Whether a peer gets everything through others, so no link with it is wanted.
    func isBeyond(_ peer: PeerID, of own: PeerID) -> Bool {
        isLarge && !talked.contains(peer) && !areNeighbours(own, peer)
    }

    private static func isStep(_ distance: Int) -> Bool {
        distance > 0 && distance & (distance - 1) == 0 && distance <= 1 << (Limits.membersLinked / 2 - 1)
    }

    private func contains(_ peer: PeerID) -> Bool {
        let place = rank(peer)
        return place < peers.count && peers[place] == peer
    }

    private func rank(after peer: PeerID) -> Int { rank(peer) + (contains(peer) ? 1 : 0) }

    /// The number of peers with smaller IDs.
    private func rank(_ peer: PeerID) -> Int {
        var (low, high) = (0, peers.count)
        while low < high {
            let middle = (low + high) / 2
            if peers[middle] < peer { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
