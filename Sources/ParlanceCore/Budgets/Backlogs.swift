import ParlanceWire

/// Who sends more than is handled at once, so that both users are told why it takes its time (sync.md, "Behind").
///
/// - It owns, for each peer, until when this node counts as behind with what it sends, and until when the peer does.
/// - It takes what the shell has seen, and what peers say.
/// - It returns what is new, and of whom it does not hold any more.
struct Backlogs: Equatable, Sendable {
    private var here: [PeerID: Int64] = [:]
    private var there: [PeerID: Int64] = [:]

    /// This node is behind with what the peer sends.
    func isHere(of peer: PeerID) -> Bool { here[peer] != nil }

    /// The peer is behind with what this node sends.
    func isThere(at peer: PeerID) -> Bool { there[peer] != nil }

    /// - Returns: whether that is new.
    mutating func fellBehind(with peer: PeerID, _ turn: inout Turn) -> Bool {
        defer { schedule(&turn) }
        return here.updateValue(turn.now.monotonic + Limits.behindHeldMilliseconds, forKey: peer) == nil
    }

    /// - Parameter milliseconds: how long the peer says that it holds; it counts as `Limits.behindMilliseconds` at least,
    ///   and as `Limits.behindHeldMilliseconds` at most.
    /// - Returns: whether that is new.
    mutating func isTold(by peer: PeerID, for milliseconds: UInt64, _ turn: inout Turn) -> Bool {
        defer { schedule(&turn) }
        let time = Int64(min(milliseconds, UInt64(Limits.behindHeldMilliseconds)))
        let end = turn.now.monotonic + max(time, Limits.behindMilliseconds)
        return there.updateValue(max(end, there[peer] ?? 0), forKey: peer) == nil
    }

    /// There is no link with the peer any more.
    mutating func parted(from peer: PeerID, _ turn: inout Turn) {
        here[peer] = nil
        there[peer] = nil
        schedule(&turn)
    }

    /// - Returns: the peers of whom something does not hold any more, in order.
    mutating func dropOver(_ turn: inout Turn) -> [PeerID] {
        let now = turn.now.monotonic
        let over = Set(here.filter { $0.value <= now }.keys).union(there.filter { $0.value <= now }.keys)
        here = here.filter { $0.value > now }
        there = there.filter { $0.value > now }
        schedule(&turn)
        return over.sorted()
    }

    private func schedule(_ turn: inout Turn) {
        let latest = turn.now.monotonic + Limits.behindHeldMilliseconds
        invariant(here.values.allSatisfy { $0 <= latest }, "this node counts as behind for a bounded time")
        invariant(there.values.allSatisfy { $0 <= latest }, "a peer counts as behind for a bounded time")
        turn.deadlines[.backlogs] = [here.values.min(), there.values.min()].compactMap { $0 }.min()
    }
}
