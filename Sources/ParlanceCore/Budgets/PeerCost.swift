package import ParlanceWire

/// What one peer costs a node besides its messages, over all rooms; or the most that it may cost (sync.md, "One peer's
/// flood"). Each room counts what it holds for whom. What is stored of an author in a day is bounded by `Quotas`.
package struct PeerCost: Equatable, Sendable {
    /// Its links.
    package var links = 0
    /// Entries of tables in memory: of clocks and windows, watermarks that wait, and what was told.
    package var entries = 0
    /// Bytes in memory that wait: for an acknowledgement, or for the rest of an invitation or of a charter.
    package var bytes = 0
    /// Reads of the store and of files that are under way or will be tried again.
    package var reads = 0
    /// Bytes of the envelopes that are kept for it on the disk, as they count.
    package var carried = 0

    package static let nothing = PeerCost()

    static func + (a: PeerCost, b: PeerCost) -> PeerCost {
        PeerCost(
            links: a.links + b.links,
            entries: a.entries + b.entries,
            bytes: a.bytes + b.bytes,
            reads: a.reads + b.reads,
            carried: a.carried + b.carried
        )
    }

    /// The figures that are larger than those of a budget.
    package func excess(over budget: PeerCost) -> [(what: String, count: Int, most: Int)] {
        [
            ("links", links, budget.links), ("entries", entries, budget.entries), ("bytes", bytes, budget.bytes),
            ("reads", reads, budget.reads), ("bytes of envelopes", carried, budget.carried),
        ].filter { $0.1 > $0.2 }
    }
}

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
