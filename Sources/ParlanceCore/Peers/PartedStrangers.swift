import ParlanceWire

/// Strangers that are neither linked nor in sight any more, and when each is forgotten.
///
/// They are kept for a while, so that a user can still write to somebody who has just left.
struct PartedStrangers: Equatable, Sendable {
    /// The moments at which they are forgotten, by the monotonic clock in milliseconds.
    private var ends: [PeerID: Int64] = [:]

    var count: Int { ends.count }

    var next: Int64? { ends.values.min() }

    /// - Returns: the stranger to forget at once, because there are too many; `nil` if there is room.
    mutating func add(_ peer: PeerID, at now: Int64) -> PeerID? {
        ends[peer] = now + Limits.strangerKeptMilliseconds
        guard ends.count > Limits.strangersKept,
            let first = ends.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key
        else { return nil }
        ends[first] = nil
        return first
    }

    mutating func remove(_ peer: PeerID) { ends[peer] = nil }

    /// Removes and returns those whose time is over, in the order of their IDs.
    mutating func takeDue(at now: Int64) -> [PeerID] {
        let due = ends.filter { $0.value <= now }.keys.sorted()
        for peer in due { ends[peer] = nil }
        return due
    }
}
