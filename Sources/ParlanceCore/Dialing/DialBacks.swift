import ParlanceWire

/// Whether the port of this node can be reached, asked of a peer, and the same done for others (sync.md, "DialBack").
///
/// - It owns the question under way, the attempts for others, and when each peer was asked and dialled last.
/// - It is told who asks, what peers answer, how attempts end, and which links close.
/// - It returns these facts: `wantsDialBack` and `dialedBack`.
struct DialBacks: Equatable, Sendable {
    /// The question under way.
    private var asked: Asked?
    /// The attempts for others, each with the link on which it is answered.
    private var attempts: [DialID: LinkID] = [:]
    /// When each peer was asked last, and when it was dialled back last, by the monotonic clock.
    private var lastAsked: [PeerID: Int64] = [:]
    private var lastDialed: [PeerID: Int64] = [:]

    private struct Asked: Equatable {
        let link: LinkID
        let peer: PeerID
        var commands: [CommandID]
    }

    /// Asks the peer that was asked longest ago, first those that this node has dialled: whoever dialled it has reached it.
    ///
    /// - Parameter links: those on which this may be asked.
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

    /// An answer that is late, or of somebody who was not asked, is passed over.
    mutating func answered(_ outcome: DialBackView.Outcome, on link: LinkID, _ turn: inout Turn) {
        guard asked?.link == link else { return }
        end(outcome, &turn)
    }

    mutating func timedOut(_ turn: inout Turn) { end(.noAnswer, &turn) }

    private mutating func end(_ outcome: DialBackView.Outcome, _ turn: inout Turn) {
        guard let asked else { return }
        self.asked = nil
        turn.deadlines[.dialBack] = nil
        let view = DialBackView(peer: asked.peer, outcome: outcome)
        for command in asked.commands { turn.emit(.answer(command, .success(.dialedBack(view)))) }
    }

    /// A link is gone: nobody will answer on it, or hear.
    mutating func linkClosed(_ link: LinkID, _ turn: inout Turn) {
        answered(.noAnswer, on: link, &turn)
        attempts = attempts.filter { $0.value != link }
    }

    /// Nothing is known of the peer any more.
    mutating func forget(_ peer: PeerID) {
        lastAsked[peer] = nil
    }

    // For others.

    /// An accepted peer asks whether it can be reached: at the address it has here, on the port it has told. Never another
    /// one, or it could have this node knock anywhere.
    mutating func requested(on link: Link, _ turn: inout Turn) -> [Fact] {
        guard let port = UInt16(exactly: link.listeningPort), port != 0 else {
            // The peer knows that it told no port.
            return [.dialedBack(on: link.id, .failed(""))]
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
