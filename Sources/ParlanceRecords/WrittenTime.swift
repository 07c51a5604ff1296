package import ParlanceWire

/// The best estimate of when something was written (events.md, "Time").
package struct WrittenTime: Equatable, Sendable {
    /// The event's own time, which orders it.
    package var claimed: EventTime
    /// When it was written by the author's clock, in milliseconds since 1970: earlier than `claimed` if that clock had been
    /// ahead before.
    package var written: Int64
    /// When it came here, in milliseconds since 1970, if the author's clock was then more than a day ahead of the
    /// reader's.
    package var arrived: Int64?

    package init(_ claimed: EventTime) {
        self.claimed = claimed
        written = claimed.milliseconds
    }

    package init(_ header: EventHeader, arrived: Int64?) {
        claimed = header.time
        written = header.written
        self.arrived = arrived
    }

    /// The time to show, in milliseconds since 1970, when the reader's clock says `wall`. A time far ahead of the
    /// reader's clock is not shown. If it was the reader's clock that was behind, the author's time is shown once that
    /// clock is corrected.
    package func shown(at wall: Int64) -> Int64 {
        guard let arrived, isFarAhead(of: wall) else { return written }
        return arrived
    }

    func isFarAhead(of wall: Int64) -> Bool { written - max(0, wall) > Limits.aheadMilliseconds }
}
