/// A part of each day in which nobody is notified, such as `22:00-07:00`: the setting `quiet-hours`, and the quiet hours of
/// a conversation.
package struct QuietHours: Equatable, Sendable {
    /// Minutes since midnight: the first quiet one, and the first one after it.
    package let start, end: Int

    /// - Parameters: minutes since midnight.
    package init(start: Int, end: Int) {
        (self.start, self.end) = (start, end)
    }

    /// Reads `HH:MM-HH:MM`; the end may be on the next day. Nil for anything else, and for two equal times.
    package init?(_ text: String) {
        let times = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minutes)
        guard times.count == 2, let start = times[0], let end = times[1], start != end else { return nil }
        (self.start, self.end) = (start, end)
    }

    private static func minutes(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.utf8.count) && $0.utf8.allSatisfy(isDigit) }),
            parts[1].utf8.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// - Parameter minute: since midnight, in the user's time zone.
    package func contains(minute: Int) -> Bool {
        start < end ? (start..<end).contains(minute) : minute >= start || minute < end
    }

    /// `22:00-07:00`
    package var text: String { Self.text(start) + "-" + Self.text(end) }

    private static func text(_ minutes: Int) -> String {
        [minutes / 60, minutes % 60].map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":")
    }
}
