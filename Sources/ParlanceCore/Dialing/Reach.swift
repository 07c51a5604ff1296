package import ParlanceWire

/// Whom a node could have a link with, where there are so many that it has only some (discovery.md, "Many members").
package struct Reach {
    /// In the order of their IDs.
    package var peers: [PeerID] = []
    /// Those with whom something has been written: they are linked, however many there are.
    var talked: Set<PeerID> = []

    package init(peers: [PeerID] = []) {
        self.peers = peers
    }

    /// Whether there are more than each is linked with.
    var isLarge: Bool { peers.count > Limits.membersAllLinked }

    /// Whether two are neighbours: their places in the order of all, as a ring, are 1, 2, 4... 128 apart. Both sides find the
    /// same, everybody is linked with the next one, and nobody is far from anybody.
    package func areNeighbours(_ a: PeerID, _ b: PeerID) -> Bool {
        let (lower, upper) = a < b ? (a, b) : (b, a)
        let between = rank(upper) - rank(after: lower)
        let besides = peers.count - (contains(a) ? 1 : 0) - (contains(b) ? 1 : 0)
        let distance = between + 1
        let around = besides - between + 1
        return Self.isStep(distance) || Self.isStep(around)
    }

    /// Whether a peer hears, and is heard, through others: no link with it is wanted.
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

    /// How many come before.
    private func rank(_ peer: PeerID) -> Int {
        var (low, high) = (0, peers.count)
        while low < high {
            let middle = (low + high) / 2
            if peers[middle] < peer { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
