/// Reads the days and times that tokens name, in one pass.
struct DeadlineReader {
    let tokens: [Token]
    /// The day of the message on the reader's clock.
    let today: CivilDay
    /// The minute of that day.
    let now: Int

    /// Offsets of real clocks are smaller than this many seconds.
    private static let largestOffset = 86_400
    /// As many words such as "by the" can stand before a day.
    private static let mostIntroducers = 4

    /// Makes a reader, or nil if the time of the message lies outside 1970 to 9999.
    init?(tokens: [Token], time: Int64, offset: Int) {
        guard (-Self.largestOffset...Self.largestOffset).contains(offset), time > -Int64(Self.largestOffset) * 1000
        else { return nil }
        let seconds = Int(time / 1000) + offset
        guard seconds >= 0, let today = CivilDay(number: seconds / 86_400) else { return nil }
        self.tokens = tokens
        self.today = today
        now = seconds % 86_400 / 60
    }

    /// The deadlines that a range of tokens names, in their order.
    func deadlines(in range: Range<Int>) -> [LocatedDeadline] {
        var found: [LocatedDeadline] = []
        var index = range.lowerBound
        while index < range.upperBound {
            guard tokens[index].kind == .number || Lexicon.deadlineStarts.contains(tokens[index]) else {
                index += 1
                continue
            }
            let introducers = introducers(at: index, before: range.upperBound)
            let start = index + introducers.count
            guard
                let moment = moment(at: start, introduced: introducers.count > 0, isBound: introducers.isBound),
                moment.end <= range.upperBound
            else {
                index += 1
                continue
            }
            if !isBlocked(index, start, range), !tokens[start].isQuoted, let deadline = deadline(of: moment) {
                found.append(
                    LocatedDeadline(
                        deadline: deadline,
                        range: index..<max(moment.end, index + 1),
                        isBound: introducers.isBound
                    )
                )
            }
            index = max(moment.end, index + 1)
        }
        return found
    }

    private func introducers(at index: Int, before end: Int) -> (count: Int, isBound: Bool) {
        var count = 0
        var isBound = false
        while count < Self.mostIntroducers {
            let bound = Lexicon.bounds.length(at: index + count, in: tokens, before: end)
            if bound == 0, isAfterNoon(index + count) {
                count += 1
                continue
            }
            let length = bound > 0 ? bound : Lexicon.connectors.length(at: index + count, in: tokens, before: end)
            // "this Friday" and "the 14th" keep the word that belongs to the day.
            guard length > 0, !isDayStart(index + count) else { break }
            isBound = isBound || bound > 0
            count += length
        }
        return (count, isBound)
    }

    /// "after lunch", "nach dem Mittagessen".
    private func isAfterNoon(_ index: Int) -> Bool {
        guard ["after", "nach"].contains(folded(index)) else { return false }
        return [index + 1, index + 2].contains { Lexicon.noons.contains(folded($0)) }
    }

    private func isDayStart(_ index: Int) -> Bool {
        guard index + 1 < tokens.count, Lexicon.thisWords.contains(tokens[index]) else { return false }
        let next = tokens[index + 1].folded
        return Lexicon.weekdays[next] != nil && tokens[index].folded != "den" || Lexicon.mornings.contains(next)
            || Lexicon.afternoons.contains(next) || Lexicon.units[next] != nil || next == "weekend"
            || (tokens[index].folded == "the" && next == "day")
    }

    private func isBlocked(_ index: Int, _ start: Int, _ range: Range<Int>) -> Bool {
        if index > range.lowerBound, Lexicon.dayBlockers.contains(tokens[index - 1]) { return true }
        guard tokens[start].folded == "morgen", index == start else { return false }
        let isFirst =
            index == range.lowerBound || tokens[index - 1].kind == .lineEnd || tokens[index - 1].kind == .sign
        guard isFirst else { return false }
        guard start + 1 < range.upperBound else { return true }
        let next = tokens[start + 1]
        return next.kind == .sign || next.kind == .lineEnd || Lexicon.greeted.contains(next)
            || (next.isCapital && index == range.lowerBound && !tokens[start].isCapital)
    }

    // MARK: A day with a time

    /// A day and a time as they are written.
    struct Moment {
        var day: CivilDay?
        var time: ClockTime?
        /// A minute that is already reckoned, for "in two hours".
        var minute: Int?
        var end: Int
    }

    private func moment(at index: Int, introduced: Bool, isBound: Bool) -> Moment? {
        guard index < tokens.count else { return nil }
        if let span = span(at: index) { return span }
        if let day = day(at: index, introduced: introduced, isBound: isBound) {
            var moment = Moment(day: day.day, end: day.end)
            extend(&moment)
            return moment
        }
        guard let time = time(at: index), time.standsAlone else { return nil }
        var moment = Moment(time: time, end: time.end)
        let next = afterConnectors(time.end)
        if let day = day(at: next, introduced: next > time.end, isBound: isBound) {
            moment.day = day.day
            moment.end = day.end
        }
        if moment.day == nil, time.minute == nil, !time.isEndOfDay { return nil }
        return moment
    }

    /// Adds an explicit date after a weekday, parts of the day and a time.
    private func extend(_ moment: inout Moment) {
        // A day has at most a date, a part of the day and a time behind it.
        for _ in 0..<3 {
            let next = afterConnectors(moment.end)
            if let time = time(at: next) {
                moment.time = moment.time.map { $0.merged(with: time) } ?? time
                moment.end = time.end
            } else if let week = weekAfterDay(at: moment.end), let day = moment.day {
                moment.day = CivilDay(number: today.mondayNumber + 7 * week.weeks + day.weekday - 1)
                moment.end = week.end
            } else if let date = date(at: next, introduced: true, isBound: false), moment.time == nil {
                moment.day = date.day
                moment.end = date.end
            } else {
                return
            }
        }
    }

    private func afterConnectors(_ index: Int) -> Int {
        var next = index
        if next < tokens.count, tokens[next].folded == "," { next += 1 }
        for _ in 0..<2 { next += Lexicon.connectors.length(at: next, in: tokens, before: tokens.count) }
        return next
    }

    private func deadline(of moment: Moment) -> Deadline? {
        if let minute = moment.minute, let day = moment.day { return Deadline(day: day, minute: minute) }
        guard let time = moment.time, let minute = time.minute else {
            return Deadline(day: moment.day ?? today)
        }
        if let day = moment.day, day != today {
            return Deadline.at(time.isUncertain && minute < 7 * 60 ? minute + 720 : minute, on: day)
        }
        if minute >= now { return Deadline.at(minute, on: today) }
        if time.isUncertain, minute + 720 >= now { return Deadline.at(minute + 720, on: today) }
        if moment.day == nil, let tomorrow = today.adding(days: 1) { return Deadline.at(minute, on: tomorrow) }
        return Deadline.at(minute, on: today)
    }
}

extension Deadline {
    /// The deadline at a minute of a day. The minute 1440 is midnight, the start of the next day.
    fileprivate static func at(_ minute: Int, on day: CivilDay) -> Deadline? {
        guard minute >= minutesOfDay else { return Deadline(day: day, minute: minute) }
        return day.adding(days: 1).map { Deadline(day: $0, minute: minute - minutesOfDay) }
    }
}
