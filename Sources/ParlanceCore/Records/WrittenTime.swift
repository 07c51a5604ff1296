package import ParlanceWire

/// When something was written, as far as one can say (events.md, "Time").
package struct WrittenTime: Equatable, Sendable {
    /// By its author's clock.
    package var claimed: EventTime
    /// When it came here, in milliseconds since 1970, if its author's clock was more than a day ahead of the reader's then.
    package var arrived: Int64?

    package init(_ claimed: EventTime, arrived: Int64? = nil) {
        self.claimed = claimed
        self.arrived = arrived
    }

    /// The time to show, in milliseconds since 1970, when the reader's clock says `wall`. A clock that is far ahead is not
    /// believed; but if it was the reader's that was behind, what is claimed is shown as soon as that is right again.
    package func shown(at wall: Int64) -> Int64 {
        guard let arrived, claimed.isFarAhead(of: wall) else { return claimed.milliseconds }
        return arrived
    }
}

extension EventTime {
    func isFarAhead(of wall: Int64) -> Bool { milliseconds - max(0, wall) > Limits.aheadMilliseconds }
}
