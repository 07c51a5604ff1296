/// A time of day as a text writes it.
struct ClockTime: Sendable {
    /// The minutes since midnight, or nil if only a part of the day is named.
    var minute: Int?
    /// The token after the time.
    var end: Int
    /// Whether the hour can mean the morning as well as the afternoon.
    var isUncertain = false
    /// Whether it names a time without a day beside it.
    var standsAlone = true
    /// Whether it names the end of the day.
    var isEndOfDay = false
    /// Whether a part of the day puts it after noon (true) or before noon (false).
    var isAfternoon: Bool?

    /// The two parts of "in the evening at 7" as one.
    func merged(with later: ClockTime) -> ClockTime {
        var merged = later
        merged.minute = later.minute ?? minute
        merged.isUncertain = isUncertain || later.isUncertain
        merged.isAfternoon = later.isAfternoon ?? isAfternoon
        if merged.isUncertain, let minute = merged.minute, let isAfternoon = merged.isAfternoon {
            if isAfternoon, minute < 720 { merged.minute = minute + 720 }
            merged.isUncertain = false
        }
        return merged
    }
}
