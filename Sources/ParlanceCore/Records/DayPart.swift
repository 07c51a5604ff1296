/// A part of each day, in minutes since midnight of the user's time zone.
package struct DayPart: Equatable, Sendable {
    /// The first minute of it, and the first one after it, which may be on the next day. They differ.
    package let start, end: Int

    /// Nil for times that are not in a day, and for two equal ones.
    package init?(start: Int, end: Int) {
        let day = 0..<(24 * 60)
        guard day.contains(start), day.contains(end), start != end else { return nil }
        (self.start, self.end) = (start, end)
    }

    package func contains(minute: Int) -> Bool {
        start < end ? (start..<end).contains(minute) : minute >= start || minute < end
    }
}
