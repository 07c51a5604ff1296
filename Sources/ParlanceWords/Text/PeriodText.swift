/// A length of time, in words and as people type it.
package enum PeriodText {
    private static let units: [Character: Int] = ["m": 60, "h": 3_600, "d": 86_400, "w": 604_800]

    /// The seconds of `30m`, `8h`, `2d` or `1w`; nil for anything else.
    package static func seconds(of text: String) -> Int? {
        guard let last = text.last, let unit = units[last], let count = Int(text.dropLast()), count > 0 else {
            return nil
        }
        let (seconds, overflows) = count.multipliedReportingOverflow(by: unit)
        return overflows ? nil : seconds
    }

    /// Whether the length is zero or negative, such as `0h`.
    package static func isZeroOrLess(_ text: String) -> Bool {
        guard let last = text.last, units[last] != nil, let count = Int(text.dropLast()) else { return false }
        return count <= 0
    }

    /// `90 days`, `36 hours` or `90 minutes`: in the greatest unit that gives a whole number.
    package static func words(seconds: Int) -> String { say(phrase(seconds: seconds)) }

    package static func phrase(seconds: Int) -> Phrase {
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600, seconds / 60)
        if seconds.isMultiple(of: 86_400) { return days == 1 ? Phrase("1 day") : Phrase("\(days) days") }
        if seconds.isMultiple(of: 3_600) { return hours == 1 ? Phrase("1 hour") : Phrase("\(hours) hours") }
        return minutes == 1 ? Phrase("1 minute") : Phrase("\(minutes) minutes")
    }

    /// The same as one types it: `90d`, `36h` or `90m`.
    package static func typed(seconds: Int) -> String {
        if seconds.isMultiple(of: 86_400) { return "\(seconds / 86_400)d" }
        return seconds.isMultiple(of: 3_600) ? "\(seconds / 3_600)h" : "\(seconds / 60)m"
    }
}
