package import ParlanceWire

// What each peer costs, over all rooms.
extension Engine {
    /// The peers that cost more than they may, and in what: for tests.
    package var excesses: [(peer: PeerID, what: String, count: Int, most: Int)] {
        links.openPeers.sorted().flatMap { peer in
            cost(of: peer).excess(over: budget(of: peer)).map { (peer, $0.what, $0.count, $0.most) }
        }
    }

    /// What a peer costs now.
    package func cost(of peer: PeerID) -> PeerCost {
        let ids = Set(links.all(with: peer).map(\.id))
        return links.cost(of: peer) + turn.reads.cost(of: ids) + transfers.cost(of: ids) + couriers.cost(of: peer)
    }

    /// The most that a peer may cost: what the limits allow on its links, given what is held of the conversations on them.
    package func budget(of peer: PeerID) -> PeerCost {
        var budget = PeerCost(links: Limits.linksPerPeer, carried: Limits.depositorBytes)
        for link in links.all(with: peer) {
            let open = link.sessions.keys.compactMap { conversations[$0] }
            let logs = open.reduce(0) { $0 + $1.logs.count + $1.displaced.count }
            let authors = open.reduce(0) { $0 + $1.writerCount }
            // What the peer has of each log, and what it was sent of it; logs that it made up; marks that wait.
            budget.entries += 2 * logs + authors * Limits.clockEntriesPerAuthor
            budget.entries += link.sessions.count * Limits.marksPerFrame
            budget.entries += Limits.addressesPerFrame + Limits.addressesHeld + Limits.workspaceRemoved
            budget.entries += Limits.pieceWindow + 4 * Limits.filesAtOnce + Limits.piecesOwed
            // A run may exceed the window, and an event what waits for the rest.
            budget.bytes += Limits.windowBytes + Limits.invitationBytes + Limits.charterPartBytes
            budget.bytes += 2 * (Limits.runBytes + Limits.frameBytes)
            // Each log is read once at a time, and a claim, an envelope and a run that is compared beside it.
            budget.reads += 2 * logs + 2 + Limits.bodiesPerRequest + Limits.failedReads
            budget.reads += 2 * Limits.filesAtOnce + Limits.piecesOwed
        }
        return budget
    }
}
