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

extension Engine {
    /// Whoever is linked, or could be: an attempt has not failed several times.
    func reach() -> Reach {
        guard peers.count + addressBook.count > Limits.membersAllLinked else { return Reach() }
        var found: Set<PeerID> = []
        for link in links.values where !link.closing { found.insert(link.peer) }
        for target in dialing.targets.values where target.failures < Self.failuresInReach {
            found.formUnion(target.peer.map { [$0] } ?? whoMayBe(target.key))
        }
        let members = found.filter { $0 != identity && (isWelcome($0) || isNewMember($0)) && !isRemoved($0) }
        var reach = Reach(peers: members.sorted())
        if reach.isLarge { reach.talked = talked }
        return reach
    }

    /// So often in a row an attempt fails before the peer counts as away.
    private static var failuresInReach: Int { 3 }

    /// A member that others have told of, and that this node has not met yet.
    func isNewMember(_ peer: PeerID) -> Bool { peers[peer] == nil && addressBook[peer] != nil }

    /// With whom there is something: a message, or a request to talk.
    private var talked: Set<PeerID> {
        var found = Set(peers.values.filter { $0.record.request != nil }.map(\.record.id))
        for conversation in conversations.values {
            guard case .direct(let peer) = conversation.record.kind,
                conversation.logs.values.contains(where: { $0.held.position.sequence > 0 })
            else { continue }
            found.insert(peer)
        }
        return found
    }

    /// Whether a peer hears, and is heard, through others.
    func isBeyond(_ peer: PeerID, _ reach: Reach) -> Bool {
        reach.isLarge && !reach.talked.contains(peer) && !reach.areNeighbours(identity, peer)
    }

    /// Closes a link of which there are too many.
    ///
    /// - Returns: whether it did.
    mutating func closeSurplus(_ id: LinkID) -> Bool {
        guard links.count > Limits.membersLinked, let link = links[id], !link.closing, link.helloReceived,
            isWelcome(link.peer),
            turn.now.monotonic - link.openedAt >= Limits.heartbeatMilliseconds
        else { return false }
        let reach = reach()
        guard isBeyond(link.peer, reach) else { return false }
        var before: Set<PeerID> = []
        for other in links.values where !other.closing && other.peer != link.peer && isWelcome(other.peer) {
            guard !reach.talked.contains(other.peer) else { continue }
            // Neighbours first, then those that came first.
            let isEarlier = (other.openedAt, other.id) < (link.openedAt, link.id)
            if isEarlier || !isBeyond(other.peer, reach) { before.insert(other.peer) }
        }
        guard before.count >= Limits.membersLinked else { return false }
        close(id, .limit)
        return true
    }
}
