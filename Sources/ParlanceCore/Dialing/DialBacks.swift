import ParlanceWire

/// Asks peers to test whether this node's port can be reached, and does the same for others
/// (sync.md, "DialBack, DialedBack").
///
/// - It owns the pending question, the attempts for others, and when each peer was last asked and dialled.
/// - It takes questions, answers of peers, results of attempts, and closed links.
/// - It returns these facts: `wantsDialBack` and `dialedBack`.
struct DialBacks: Equatable, Sendable {
    /// The pending question of this node.
    private var asked: Asked?
    /// The attempts for others, each with the link to answer on.
    private var attempts: [DialID: LinkID] = [:]
    /// When each peer was last asked and last dialled back, by the monotonic clock in milliseconds.
    private var lastAsked: [PeerID: Int64] = [:]
    private var lastDialed: [PeerID: Int64] = [:]

    private struct Asked: Equatable {
        /// The links of those who were asked and have not answered.
        var open: Set<LinkID> = []
        /// Those to ask next, in this order.
        var rest: [Candidate]
        /// When the question ends, by the monotonic clock in milliseconds.
        let until: Int64
        /// What to tell if nobody says more.
        var outcome: DialBackView
        var commands: [CommandID]
    }

    private struct Candidate: Equatable {
        let link: LinkID
        let peer: PeerID
    }

    /// Asks one peer after another, at most `Limits.dialBackPeers`, until one has tried it.
    ///
    /// - Parameter links: the links on which this may be asked.
    mutating func ask(over links: [Link], for command: CommandID, _ turn: inout Turn) -> [Fact] {
        guard asked == nil else {
            asked?.commands.append(command)
            return []
        }
        let chosen = candidates(among: links, turn.now.monotonic)
        guard let first = chosen.first else {
            turn.emit(.answer(command, .success(.dialedBack(nil))))
            return []
        }
        asked = Asked(
            rest: chosen,
            until: turn.now.monotonic + Limits.dialBackMilliseconds,
            outcome: DialBackView(peer: first.peer, outcome: .noAnswer),
            commands: [command]
        )
        return askNext(&turn)
    }

    /// Whom to ask, each peer once: last those asked less than a minute ago, who would only say so, and those whose
    /// machines acknowledge nothing. Of the others first whoever was heard of most recently; among equal ones a peer that
    /// this node dialled, since a peer that dialled this node has reached it already.
    private func candidates(among links: [Link], _ now: Int64) -> [Candidate] {
        func rank(_ link: Link) -> (Int, Int, Int64, Int, LinkID) {
            let isEarly = lastAsked[link.peer].map { now - $0 < Limits.dialBackPauseMilliseconds } ?? false
            return (isEarly ? 1 : 0, link.isStalled ? 1 : 0, -link.lastHeard.monotonic, link.dialled ? 0 : 1, link.id)
        }
        var seen: Set<PeerID> = []
        let peers = links.sorted { rank($0) < rank($1) }.filter { seen.insert($0.peer).inserted }
        return peers.prefix(Limits.dialBackPeers).map { Candidate(link: $0.id, peer: $0.peer) }
    }

    /// Asks the next peer; without one, waits for those who were asked.
    private mutating func askNext(_ turn: inout Turn) -> [Fact] {
        guard var asked else {
            broken("the next peer is asked while a dial-back is pending")
            return []
        }
        guard !asked.rest.isEmpty else {
            if asked.open.isEmpty { end(asked.outcome, &turn) } else { turn.deadlines[.dialBack] = asked.until }
            return []
        }
        let next = asked.rest.removeFirst()
        asked.open.insert(next.link)
        self.asked = asked
        let now = turn.now.monotonic
        lastAsked[next.peer] = now
        turn.deadlines[.dialBack] =
            asked.rest.isEmpty ? asked.until : min(asked.until, now + Limits.dialBackPatienceMilliseconds)
        return [.wantsDialBack(on: next.link)]
    }

    /// Takes an answer. Ignores one that is late, or from a peer that was not asked. Whoever tried it less than a minute
    /// ago says nothing new: the next one is asked.
    mutating func answered(_ view: DialBackView, on link: LinkID, _ turn: inout Turn) -> [Fact] {
        guard asked?.open.remove(link) != nil else { return [] }
        guard view.outcome == .tooOften else {
            end(view, &turn)
            return []
        }
        if asked?.outcome.outcome == .noAnswer { asked?.outcome = view }
        return askNext(&turn)
    }

    /// Nobody has answered for a while.
    mutating func timedOut(_ turn: inout Turn) -> [Fact] {
        guard let asked else {
            broken("a dial-back that times out is pending")
            return []
        }
        guard turn.now.monotonic < asked.until else {
            end(asked.outcome, &turn)
            return []
        }
        return askNext(&turn)
    }

    private mutating func end(_ view: DialBackView, _ turn: inout Turn) {
        let commands = asked?.commands ?? []
        asked = nil
        turn.deadlines[.dialBack] = nil
        for command in commands { turn.emit(.answer(command, .success(.dialedBack(view)))) }
    }

    /// Drops what depends on a closed link; if its peer was asked, asks the next one.
    mutating func linkClosed(_ link: LinkID, _ turn: inout Turn) -> [Fact] {
        attempts = attempts.filter { $0.value != link }
        asked?.rest.removeAll { $0.link == link }
        return asked?.open.remove(link) == nil ? [] : askNext(&turn)
    }

    /// Forgets when the peer was asked.
    mutating func forget(_ peer: PeerID) {
        lastAsked[peer] = nil
    }

    // For others.

    /// Tests whether an accepted peer can be reached at its address on this link and the port that it told. No other
    /// address is dialled: a peer must not be able to aim this node at other machines.
    mutating func requested(on link: Link, _ turn: inout Turn) -> [Fact] {
        guard let port = UInt16(exactly: link.listeningPort), port != 0 else {
            return [.dialedBack(on: link.id, .failed("port 0"))]
        }
        let now = turn.now.monotonic
        lastDialed = lastDialed.filter { now - $0.value < Limits.dialBackPauseMilliseconds }
        guard lastDialed[link.peer] == nil else { return [.dialedBack(on: link.id, .tooOften)] }
        lastDialed[link.peer] = now
        let attempt = DialID(turn.nextNumber())
        attempts[attempt] = link.id
        turn.emit(.probe(attempt, Endpoint(host: link.remote.host, port: port)))
        return []
    }

    mutating func probed(_ attempt: DialID, failure: String?) -> [Fact] {
        guard let link = attempts.removeValue(forKey: attempt) else { return [] }
        return [.dialedBack(on: link, failure.map { .failed($0) } ?? .reached)]
    }
}
