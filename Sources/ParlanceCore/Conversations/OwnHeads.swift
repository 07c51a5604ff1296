import ParlanceWire

/// Positions of the own logs of a conversation whose IDs were seen on their way to the disk, or read from it. It saves reads
/// and proves nothing by what it lacks: it keeps the last few.
struct OwnHeads: Equatable, Sendable {
    private var heads: [Place: EventID] = [:]
    /// The same, oldest first.
    private var order: [Place] = []

    private struct Place: Hashable {
        var log: LogID
        var sequence: UInt64
    }

    /// As many as a peer that is there lags behind, as a rule.
    private static var most: Int { 256 }

    mutating func note(_ position: LogPosition, of log: LogID) {
        let place = Place(log: log, sequence: position.sequence)
        if heads.updateValue(position.head, forKey: place) == nil { order.append(place) }
        guard order.count > Self.most else { return }
        for old in order.prefix(Self.most / 2) { heads[old] = nil }
        order.removeFirst(Self.most / 2)
    }

    /// The ID of the event at a place, if it is known.
    func head(at sequence: UInt64, of log: LogID) -> EventID? { heads[Place(log: log, sequence: sequence)] }
}
