import ParlanceWire

// Which links a node keeps where there are too many members to be linked with each (discovery.md, "Many members").
extension Dialing {
    /// An attempt fails so often in a row before the peer counts as away.
    private static var failuresInReach: Int { 3 }

    /// The members that are linked or could be: attempts to reach them have not failed several times in a row.
    func reach(_ links: Links, _ people: People) -> Reach {
        guard people.count > Limits.membersAllLinked else { return Reach() }
        var found: Set<PeerID> = []
        for link in links.values where !link.closing { found.insert(link.peer) }
        for target in all where target.failures < Self.failuresInReach { found.formUnion(target.whoMayBe(people)) }
        let members = found.filter { peer in
            peer != people.own && (people.isWelcome(peer) || people.isNewMember(peer)) && !people.isRemoved(peer)
        }
        var reach = Reach(peers: members.sorted())
        if reach.isLarge { reach.talked = people.talked }
        return reach
    }

    /// Whether there are so many links that this one goes: its peer hears through others.
    func isSurplus(_ link: Link, _ links: Links, _ people: People, _ now: Instant) -> Bool {
        guard links.count > Limits.membersLinked, !link.closing, link.helloReceived, people.isWelcome(link.peer),
            now.monotonic - link.openedAt >= Limits.heartbeatMilliseconds
        else { return false }
        let reach = reach(links, people)
        guard reach.isBeyond(link.peer, of: people.own) else { return false }
        var before: Set<PeerID> = []
        for other in links.values where !other.closing && other.peer != link.peer && people.isWelcome(other.peer) {
            guard !reach.talked.contains(other.peer) else { continue }
            // Neighbours first, then those that came first.
            let isEarlier = (other.openedAt, other.id) < (link.openedAt, link.id)
            if isEarlier || !reach.isBeyond(other.peer, of: people.own) { before.insert(other.peer) }
        }
        return before.count >= Limits.membersLinked
    }
}
