import ParlanceWire

// Which links a node keeps when there are too many members to link with each (discovery.md, "Many members").
extension Dialing {
    /// The members that are linked or could be linked: attempts to reach them have not failed several times in a row.
    func reach(_ links: Links, _ people: People) -> Reach {
        guard people.count > Limits.membersAllLinked else { return Reach() }
        var members: [PeerID] = []
        whileInReach(links, people) {
            members.append($0)
            return true
        }
        var reach = Reach(peers: members.sorted())
        if reach.isLarge { reach.talked = people.talked }
        return reach
    }

    /// Whether `reach` is large, without examining every peer.
    func isReachLarge(_ links: Links, _ people: People) -> Bool {
        guard people.count > Limits.membersAllLinked else { return false }
        var count = 0
        whileInReach(links, people) { _ in
            count += 1
            return count <= Limits.membersAllLinked
        }
        return count > Limits.membersAllLinked
    }

    /// Calls a closure with each member in reach, unordered, until it returns `false`.
    private func whileInReach(_ links: Links, _ people: People, _ body: (PeerID) -> Bool) {
        let groups = people.ownGroups
        for peer in places.peersInReach where people.isWanted(peer, groups) { guard body(peer) else { return } }
        // Add linked peers and possible peers whose location is not known. They are few.
        let others = links.openPeers + places.unansweredInReach.flatMap { $0.dialCandidates(people) }
        for peer in Set(others.filter { !places.isInReach($0) }) where people.isWanted(peer, groups) {
            guard body(peer) else { return }
        }
    }

    /// Whether a link can be closed because there are too many: its peer gets everything through others.
    func isSurplus(_ link: Link, _ links: Links, _ people: People, _ now: Instant) -> Bool {
        guard links.count > Limits.membersLinked, !link.closing, link.helloReceived, people.isWelcome(link.peer),
            now.monotonic - link.openedAt >= Limits.heartbeatMilliseconds
        else { return false }
        let reach = reach(links, people)
        guard reach.isBeyond(link.peer, of: people.own) else { return false }
        var before: Set<PeerID> = []
        for other in links.values where !other.closing && other.peer != link.peer && people.isWelcome(other.peer) {
            guard !reach.talked.contains(other.peer) else { continue }
            // Neighbours have priority, then the oldest links.
            let isEarlier = (other.openedAt, other.id) < (link.openedAt, link.id)
            if isEarlier || !reach.isBeyond(other.peer, of: people.own) { before.insert(other.peer) }
        }
        return before.count >= Limits.membersLinked
    }
}
