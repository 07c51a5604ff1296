package import ParlanceWire

// What new membership events change in the verdicts on what is held already.
extension Membership {
    package struct Difference: Equatable, Sendable {
        /// Whose standing is another now, in the order of their IDs.
        package var authors: [PeerID]
        /// The membership events that count now and did not, or the other way, in the order of their IDs.
        package var events: [MembershipChange]

        package init(authors: [PeerID], events: [MembershipChange]) {
            self.authors = authors
            self.events = events
        }
    }

    /// What became different since fewer events were held.
    package func difference(from before: Membership) -> Difference {
        let known = Set(standings.keys).union(before.standings.keys)
        let authors = known.filter { standings[$0] != before.standings[$0] }
        let events = valid.symmetricDifference(before.valid).sorted()
        return Difference(authors: authors.sorted(), events: events.compactMap { changes[$0] ?? before.changes[$0] })
    }

    /// Through which sequence `allows` surely says of a log what it said before, whatever it had named; `UInt64.max` if
    /// throughout.
    package func isSame(through log: LogID, as before: Membership) -> UInt64 {
        let now = standings[log.author] ?? Standing()
        let then = before.standings[log.author] ?? Standing()
        var losses: [Seen] = []
        for capability in Capability.allCases {
            guard now.gains[capability, default: []].isEmpty == then.gains[capability, default: []].isEmpty else {
                return 0
            }
            losses += now.losses[capability, default: []] + then.losses[capability, default: []]
        }
        return losses.map { $0.change.mark(of: log) }.min() ?? .max
    }
}
