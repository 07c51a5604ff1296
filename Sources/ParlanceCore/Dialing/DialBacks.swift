import ParlanceWire

/// Asks a peer to test whether this node's port can be reached, and does the same for others
/// (sync.md, "DialBack, DialedBack").
///
/// - It owns the pending request, the attempts for others, and when each peer was last asked and dialled.
/// - It takes requests, answers of peers, results of attempts, and closed links.
/// - It returns these facts: `wantsDialBack` and `dialedBack`.
struct DialBacks: Equatable, Sendable {
    /// The pending request of this node.
    private var asked: Asked?
    /// The attempts for others, each with the link to answer on.
    private var attempts: [DialID: LinkID] = [:]
    /// When each peer was last asked and last dialled back, by the monotonic clock in milliseconds.
    private var lastAsked: [PeerID: Int64] = [:]
    private var lastDialed: [PeerID: Int64] = [:]

    private struct Asked: Equatable {
        let link: LinkID
        let peer: PeerID
        var commands: [CommandID]
    }

    /// Asks the peer that was asked longest ago; among equal ones first a peer that this node dialled, since a peer
    /// that dialled this node has reached it already.
    ///
    /// - Parameter links: the links on which this may be asked.
    mutating func ask(over links: [Link], for command: CommandID, _ turn: inout Turn) -> [Fact] {
        guard asked == nil else {
            asked?.commands.append(command)
            return []
        }
        guard let chosen = links.min(by: isBefore) else {
            turn.emit(.answer(command, .success(.dialedBack(nil))))
            return []
        }
        asked = Asked(link: chosen.id, peer: chosen.peer, commands: [command])
        lastAsked[chosen.peer] = turn.now.monotonic
        turn.deadlines[.dialBack] = turn.now.monotonic + Limits.dialBackMilliseconds
        return [.wantsDialBack(on: chosen.id)]
    }

    private func isBefore(_ a: Link, _ b: Link) -> Bool {
        let (first, second) = (lastAsked[a.peer] ?? .min, lastAsked[b.peer] ?? .min)
        if first != second { return first < second }
        if a.dialled != b.dialled { return a.dialled }
        return a.id < b.id
    }

    /// Takes an answer. Ignores one that is late, or from a peer that was not asked.
    mutating func answered(_ outcome: DialBackView.Outcome, on link: LinkID, _ turn: inout Turn) {
        guard asked?.link == link else { return }
        end(outcome, &turn)
    }

    mutating func timedOut(_ turn: inout Turn) { end(.noAnswer, &turn) }

    private mutating func end(_ outcome: DialBackView.Outcome, _ turn: inout Turn) {
        guard let asked else { return broken("a question about this node's address that ends was asked") }
        self.asked = nil
        turn.deadlines[.dialBack] = nil
        let view = DialBackView(peer: asked.peer, outcome: outcome)
        for command in asked.commands { turn.emit(.answer(command, .success(.dialedBack(view)))) }
    }

    /// Drops what depends on a closed link.
    mutating func linkClosed(_ link: LinkID, _ turn: inout Turn) {
        answered(.noAnswer, on: link, &turn)
        attempts = attempts.filter { $0.value != link }
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
