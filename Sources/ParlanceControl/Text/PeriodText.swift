import ParlanceWords

/// A length of time in words.
package enum PeriodText {
    /// `90 days`, `36 hours` or `90 minutes`: in the greatest unit that gives a whole number.
    package static func words(seconds: Int) -> String {
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600, seconds / 60)
        if seconds.isMultiple(of: 86_400) { return days == 1 ? say("1 day") : say("\(days) days") }
        if seconds.isMultiple(of: 3_600) { return hours == 1 ? say("1 hour") : say("\(hours) hours") }
        return minutes == 1 ? say("1 minute") : say("\(minutes) minutes")
    }
}
