import ParlanceWire

/// How often something has happened with each peer, in an hour of running time that begins with the first time.
struct HourlyCount: Equatable, Sendable {
    private let limit: Int
    private var hours: [PeerID: Hour] = [:]

    private struct Hour: Equatable {
        var began: Int64
        var count = 0

        func isOver(at now: Int64) -> Bool { now >= began + Limits.countedHourMilliseconds }
    }

    init(limit: Int) {
        self.limit = limit
    }

    func hasRoom(for peer: PeerID, at now: Int64) -> Bool {
        guard let hour = hours[peer], !hour.isOver(at: now) else { return true }
        return hour.count < limit
    }

    mutating func add(_ peer: PeerID, at now: Int64) {
        hours = hours.filter { !$0.value.isOver(at: now) }
        hours[peer, default: Hour(began: now)].count += 1
    }
}
