import ParlanceWire

/// Positions of our own logs whose event IDs were seen on their way to the disk or read from it. Only the last few are
/// kept, to save reads; a missing position proves nothing.
struct OwnHeads: Equatable, Sendable {
    private var heads: [Place: EventID] = [:]
    /// The same, oldest first.
    private var order: [Place] = []

    private struct Place: Hashable {
        var log: LogID
        var sequence: UInt64
    }

    mutating func note(_ position: LogPosition, of log: LogID) {
        let place = Place(log: log, sequence: position.sequence)
        if heads.updateValue(position.head, forKey: place) == nil { order.append(place) }
        guard order.count > Limits.ownHeads else { return }
        for old in order.prefix(Limits.ownHeads / 2) { heads[old] = nil }
        order.removeFirst(Limits.ownHeads / 2)
    }

    /// The ID of the event at a position, if it is known.
    func head(at sequence: UInt64, of log: LogID) -> EventID? { heads[Place(log: log, sequence: sequence)] }
}
