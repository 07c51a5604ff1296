import ParlanceWords

/// Shows moments in the user's time zone.
package struct LocalClock: Sendable {
    /// The moment taken as now.
    package let now: ControlTime
    private let offset: @Sendable (ControlTime) -> Int64

    /// `offset` says how many seconds the zone is ahead of UTC at a moment.
    package init(now: ControlTime, offset: @escaping @Sendable (ControlTime) -> Int64) {
        self.now = now
        self.offset = offset
    }

    /// The same zone for what is read later: each day has its date, and none is today.
    package var dated: LocalClock { LocalClock(now: ControlTime(milliseconds: .max), offset: offset) }

    /// How many seconds the zone is ahead of UTC at a moment.
    package func secondsEast(_ time: ControlTime) -> Int { Int(offset(time)) }

    /// How far the zone is ahead of UTC at a moment, as in RFC 3339: `+01:00`.
    package func offsetText(_ time: ControlTime) -> String {
        let minutes = offset(time) / 60
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(minutes < 0 ? "-" : "+")\(two(abs(minutes) / 60)):\(two(abs(minutes) % 60))"
    }

    /// The moment in the zone, as in RFC 3339: `2025-11-17T14:03:22.000+01:00`.
    package func stamp(_ time: ControlTime) -> String { "\(local(time).description.dropLast())\(offsetText(time))" }

    private func local(_ time: ControlTime) -> ControlTime {
        ControlTime(milliseconds: time.milliseconds + offset(time) * 1000)
    }

    /// Days since 1970-01-01 in the zone.
    package func day(_ time: ControlTime) -> Int64 {
        let milliseconds = local(time).milliseconds
        return milliseconds / 86_400_000 - (milliseconds % 86_400_000 < 0 ? 1 : 0)
    }

    /// Minutes since midnight in the zone.
    package func minute(_ time: ControlTime) -> Int { Int(inDay(time) / 60_000) }

    /// When the present day ends in the zone.
    package var nextMidnight: ControlTime {
        ControlTime(milliseconds: now.milliseconds + 86_400_000 - inDay(now))
    }

    /// Milliseconds since midnight in the zone.
    private func inDay(_ time: ControlTime) -> Int64 {
        let rest = local(time).milliseconds % 86_400_000
        return rest < 0 ? rest + 86_400_000 : rest
    }

    /// Hours and minutes: `14:03`.
    package func hourAndMinute(_ time: ControlTime) -> String {
        String(local(time).description.dropFirst(11).prefix(5))
    }

    /// With seconds: `14:03:22`.
    package func second(_ time: ControlTime) -> String {
        String(local(time).description.dropFirst(11).prefix(8))
    }

    /// The header of a day: `Today`, `Yesterday`, else `Monday, 17 November 2025`.
    package func dayName(_ time: ControlTime) -> String {
        let day = day(time)
        switch self.day(now) - day {
        case 0: return say("Today")
        case 1: return say("Yesterday")
        default: break
        }
        let weekdays = say(["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"])
        let months = say([
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ])
        let date = local(time).description.prefix(10).split(separator: "-")
        let month = months[((Int(date[1]) ?? 1) - 1) % 12]
        // The first day of 1970 was a Thursday.
        let weekday = weekdays[Int(((day + 4) % 7 + 7) % 7)]
        return say("\(weekday), \(Int(date[2]) ?? 0) \(month) \(date[0])", hint: "date")
    }

    /// The time for a list or within a sentence: `14:03` today, `yesterday 14:03`, else `2025-11-17 14:03`.
    package func short(_ time: ControlTime) -> String { dated(time, hourAndMinute(time)) }

    /// The same with seconds.
    package func exact(_ time: ControlTime) -> String { dated(time, second(time)) }

    private func dated(_ time: ControlTime, _ clock: String) -> String {
        switch day(now) - day(time) {
        case 0: clock
        case 1: say("yesterday \(clock)")
        default: "\(local(time).description.prefix(10)) \(clock)"
        }
    }

    /// How long ago or ahead: `now`, `in 12 s`, `3 min ago`.
    package func relative(_ time: ControlTime) -> String {
        let seconds = (time.milliseconds - now.milliseconds) / 1000
        if abs(seconds) < 1 { return say("now") }
        return seconds > 0 ? say("in \(DurationText.words(seconds))") : say("\(DurationText.words(-seconds)) ago")
    }

    /// `5 min ago` for something that has happened. One of the clocks was wrong if its time is still to come: then nobody
    /// knows when it was.
    package func past(_ time: ControlTime) -> String {
        let ahead = time.milliseconds - now.milliseconds
        if ahead > ControlLimits.clockSkewMilliseconds { return say("unknown", hint: "time") }
        return ahead > 0 ? say("now") : relative(time)
    }
}
