import ParlanceRecords
package import ParlanceWire

// Changes of earlier verdicts by new membership events.
extension Membership {
    package struct Difference: Equatable, Sendable {
        /// The authors whose standing changed, in the order of their IDs.
        package var authors: [PeerID]
        /// The membership events that count now and did not before, or the reverse, in the order of their IDs.
        package var events: [MembershipChange]

        package init(authors: [PeerID], events: [MembershipChange]) {
            self.authors = authors
            self.events = events
        }
    }

    /// Compares with a membership that held fewer events.
    package func difference(from before: Membership) -> Difference {
        let known = Set(standings.keys).union(before.standings.keys)
        let authors = known.filter { standings[$0] != before.standings[$0] }
        let events = valid.symmetricDifference(before.valid).sorted()
        return Difference(authors: authors.sorted(), events: events.compactMap { changes[$0] ?? before.changes[$0] })
    }

    /// The last sequence of a log for which `allows` certainly answers as before, whatever the log had named;
    /// `UInt64.max` if that is true of the whole log.
    package func isSame(through log: LogID, as before: Membership) -> UInt64 {
        let now = standings[log.author] ?? Standings()
        let then = before.standings[log.author] ?? Standings()
        var losses: [Seen] = []
        for capability in Capability.allCases {
            guard now[capability].wasHeld == then[capability].wasHeld else { return 0 }
            losses += now[capability].losses + then[capability].losses
        }
        return losses.map { $0.change.mark(of: log) }.min() ?? .max
    }
}
