/// The time in a header: 48 bits of milliseconds since 1970 and 16 bits of counter (events.md, "Time").
package struct EventTime: Hashable, Comparable, Sendable {
    package let raw: UInt64

    package init(raw: UInt64) {
        self.raw = raw
    }

    /// The time that an author writes: the wall clock, or one more than its last time, whichever is later; saturating.
    ///
    /// - Parameter wallMilliseconds: since 1970; an earlier time counts as 0.
    package init(wallMilliseconds: Int64, after last: EventTime?) {
        let wall = UInt64(clamping: wallMilliseconds) & 0xFFFF_FFFF_FFFF
        raw = max(wall << 16, last.map(\.next.raw) ?? 0)
    }

    package var milliseconds: Int64 { Int64(raw >> 16) }

    /// By how many milliseconds a wall clock is behind this time; 0 if it is not.
    package func lead(overWall wallMilliseconds: Int64) -> UInt64 {
        UInt64(max(0, milliseconds - max(0, wallMilliseconds)))
    }

    /// The least time after this one; the greatest time is followed by itself.
    package var next: EventTime { EventTime(raw: raw == .max ? .max : raw + 1) }

    package static func < (a: EventTime, b: EventTime) -> Bool { a.raw < b.raw }
}
