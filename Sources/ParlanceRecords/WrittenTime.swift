package import ParlanceWire

/// The best estimate of when something was written (events.md, "Time").
package struct WrittenTime: Equatable, Sendable {
    /// According to the author's clock.
    package var claimed: EventTime
    /// When it came here, in milliseconds since 1970, if the author's clock was then more than a day ahead of the
    /// reader's.
    package var arrived: Int64?

    package init(_ claimed: EventTime, arrived: Int64? = nil) {
        self.claimed = claimed
        self.arrived = arrived
    }

    /// The time to show, in milliseconds since 1970, when the reader's clock says `wall`. A time far ahead of the
    /// reader's clock is not shown. If it was the reader's clock that was behind, the claimed time is shown once that
    /// clock is corrected.
    package func shown(at wall: Int64) -> Int64 {
        guard let arrived, claimed.isFarAhead(of: wall) else { return claimed.milliseconds }
        return arrived
    }
}

extension EventTime {
    package func isFarAhead(of wall: Int64) -> Bool { milliseconds - max(0, wall) > Limits.aheadMilliseconds }
}
