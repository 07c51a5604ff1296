import ParlanceWire

/// Counts the breaches of each peer, so that each is reported at most once a minute.
struct BreachTally: Equatable, Sendable {
    private struct Entry: Equatable {
        var reported: Int64
        var unreported = 0
    }

    private var entries: [PeerID: Entry] = [:]

    /// - Returns: the number of breaches since the last report if this one is to be reported; `nil` if it is not.
    mutating func add(_ peer: PeerID, at now: Int64) -> Int? {
        if let entry = entries[peer], now - entry.reported < Limits.breachPauseMilliseconds {
            entries[peer]?.unreported += 1
            return nil
        }
        let times = (entries[peer]?.unreported ?? 0) + 1
        if entries.count >= Limits.breachPeers {
            entries = entries.filter { now - $0.value.reported < Limits.breachPauseMilliseconds }
            guard entries.count < Limits.breachPeers || entries[peer] != nil else { return nil }
        }
        entries[peer] = Entry(reported: now)
        return times
    }
}
