import ParlanceControl

/// The last events of a node, numbered from 1: not more than a number of them, and of bytes.
struct KeptEvents {
    /// The number of the last event.
    private(set) var last: UInt64 = 0
    private var events: [any ControlEvent] = []
    private var cost = 0

    /// Adds an event. If they are too many, the older half goes at once, so that this costs little.
    mutating func add(_ event: any ControlEvent) {
        last += 1
        events.append(event)
        cost += event.cost
        guard events.count > PageLimits.keptEvents || cost > PageLimits.keptBytes else { return }
        var drop = 0
        while drop < events.count,
            events.count - drop > PageLimits.keptEvents / 2 || cost > PageLimits.keptBytes / 2
        {
            cost -= events[drop].cost
            drop += 1
        }
        events.removeFirst(drop)
    }

    /// Whether nothing that came after the event of this number is missing.
    func holdsAll(after seen: UInt64) -> Bool { seen <= last && last - seen <= UInt64(events.count) }

    /// The event that follows the one of this number, if it is here.
    func event(after seen: UInt64) -> (any ControlEvent)? {
        guard seen < last, holdsAll(after: seen) else { return nil }
        return events[events.count - Int(last - seen)]
    }
}
