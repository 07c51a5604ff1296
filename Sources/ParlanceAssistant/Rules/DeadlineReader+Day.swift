/// Reads days.
extension DeadlineReader {
    /// A day and the token after it.
    struct Day {
        var day: CivilDay
        var end: Int

        init?(_ day: CivilDay?, end: Int) {
            guard let day else { return nil }
            self.day = day
            self.end = end
        }
    }

    /// "in two hours", "within 3 days", "in einer halben Stunde".
    func span(at index: Int) -> Moment? {
        var next = index
        switch folded(index) {
        case "in", "within", "binnen": next += 1
        case "innerhalb": next += folded(index + 1) == "von" ? 2 : 1
        default: return nil
        }
        if folded(next) == "the", folded(next + 1) == "next" { next += 2 }
        if folded(next) == "den", Lexicon.nextWords.contains(folded(next + 1)) || folded(next + 1) == "naechsten" {
            next += 2
        }
        var isHalf = false
        if folded(next) == "half" {
            isHalf = true
            next += 1
        }
        guard next < tokens.count else { return nil }
        let token = tokens[next]
        guard let count = token.kind == .number ? token.number : Lexicon.numbers[token.folded] else { return nil }
        guard count < Tokenizer.largestNumber else { return nil }
        next += 1
        if folded(next) == "halben" || folded(next) == "halbe" || folded(next) == "half" {
            isHalf = true
            next += 1
        }
        if folded(next) == "couple" || folded(next) == "of" { return nil }
        guard let unit = Lexicon.units[folded(next)] else { return nil }
        next += 1
        switch unit {
        case .minute, .hour:
            let minutes = unit == .minute ? count : isHalf ? count * 30 : count * 60
            let sum = now + minutes
            guard let day = today.adding(days: sum / Deadline.minutesOfDay) else { return nil }
            return Moment(day: day, minute: sum % Deadline.minutesOfDay, end: next)
        case .day: return today.adding(days: count).map { Moment(day: $0, end: next) }
        case .week: return today.adding(days: 7 * count).map { Moment(day: $0, end: next) }
        case .month: return today.adding(months: count).map { Moment(day: $0, end: next) }
        }
    }

    /// The day that starts at a token.
    func day(at index: Int, introduced: Bool, isBound: Bool) -> Day? {
        guard index < tokens.count else { return nil }
        if folded(index) == "day" || folded(index + 1) == "day" {
            let start = folded(index) == "day" ? index : index + 1
            if folded(start + 1) == "after", folded(start + 2) == "tomorrow" {
                return Day(today.adding(days: 2), end: start + 3)
            }
        }
        if let distance = Lexicon.relativeDays[folded(index)] {
            return Day(today.adding(days: distance), end: index + 1)
        }
        if let named = Lexicon.namedDays[folded(index)], named.count == 2 {
            return Day(next(month: named[0], day: named[1]), end: index + 1)
        }
        return weekday(at: index, introduced: introduced) ?? spanEnd(at: index, isBound: isBound)
            ?? date(at: index, introduced: introduced, isBound: isBound)
    }

    // MARK: Weekdays and weeks

    private func weekday(at index: Int, introduced: Bool) -> Day? {
        var start = index
        var isThis = false
        if Lexicon.nextWords.contains(folded(start)) {
            start += 1
        } else if Lexicon.thisWords.contains(folded(start)) {
            isThis = true
            start += 1
            let part = folded(start)
            if folded(index) == "this", Lexicon.mornings.contains(part) || Lexicon.afternoons.contains(part) {
                return Day(today, end: start + 1)
            }
        }
        if start > index, folded(start) == "woche" || folded(start) == "week",
            let weekday = Lexicon.weekdays[folded(start + 1)]
        {
            let weeks = isThis ? 0 : 7
            return Day(CivilDay(number: today.mondayNumber + weeks + weekday - 1), end: start + 2)
        }
        guard start < tokens.count else { return nil }
        let word = folded(start)
        let isShort = introduced && tokens[start].isCapital
        guard let weekday = Lexicon.weekdays[word] ?? (isShort ? Lexicon.shortWeekdays[word] : nil) else {
            return nil
        }
        var distance = (weekday - today.weekday + 7) % 7
        if distance == 0, !isThis { distance = 7 }
        return Day(today.adding(days: distance), end: start + 1)
    }

    /// "next week" behind a weekday: how many weeks after the present one.
    func weekAfterDay(at index: Int) -> (weeks: Int, end: Int)? {
        var next = index
        if folded(next) == "of" || folded(next) == "in" { next += 1 }
        if folded(next) == "der" { next += 1 }
        let isNext = Lexicon.nextWords.contains(folded(next))
        guard isNext || folded(next) == "this" || folded(next).hasPrefix("diese") else { return nil }
        guard folded(next + 1) == "week" || folded(next + 1) == "woche" else { return nil }
        return (isNext ? 1 : 0, next + 2)
    }

    /// "end of next week", "this month", "Ende März", "Monatsende", "weekend".
    private func spanEnd(at index: Int, isBound: Bool) -> Day? {
        let end = tokens.count
        if Lexicon.endsOfWeek.length(at: index, in: tokens, before: end) > 0 {
            return Day(weekEnd(weeks: 0), end: index + 1)
        }
        if Lexicon.endsOfMonth.length(at: index, in: tokens, before: end) > 0 {
            return Day(today.endOfMonth(), end: index + 1)
        }
        if Lexicon.endsOfYear.contains(folded(index)) { return Day(endOfYear(), end: index + 1) }
        if Lexicon.endsOfQuarter.contains(folded(index)) { return Day(endOfQuarter(), end: index + 1) }
        var next = index
        if folded(next) == "the" { next += 1 }
        let isEnd = Lexicon.endWords.contains(folded(next))
        let isStart = Lexicon.startWords.contains(folded(next))
        let isMiddle = Lexicon.middleWords.contains(folded(next))
        let hasPart = isEnd || isStart || isMiddle
        if hasPart { next += 1 }
        if folded(next) == "-" || folded(next) == "of" || folded(next) == "in" { next += 1 }
        var isNext = false
        var isThis = false
        // "des nächsten", "of the next": at most two words.
        for _ in 0..<2 {
            if Lexicon.nextWords.contains(folded(next)) {
                isNext = true
                next += 1
            } else if Lexicon.thisWords.contains(folded(next)) {
                isThis = true
                next += 1
            }
        }
        guard hasPart || isNext || isThis else { return weekend(at: next, isNext: false, isBound: isBound) }
        let part: SpanPart = isStart ? .start : isMiddle ? .middle : isEnd ? .end : .whole
        if let day = monthPart(at: next, part, hasPart: hasPart) { return day }
        if let day = weekend(at: next, isNext: isNext, isBound: isBound) { return day }
        // "the week" alone is not a date.
        guard hasPart || isNext || isStrongThis(next - 1) else { return nil }
        return unitPart(at: next, part, isNext: isNext)
    }

    private enum SpanPart { case start, middle, end, whole }

    private func isStrongThis(_ index: Int) -> Bool {
        folded(index) == "this" || folded(index).hasPrefix("diese") || folded(index).hasPrefix("laufende")
    }

    private func weekend(at index: Int, isNext: Bool, isBound: Bool) -> Day? {
        guard folded(index) == "weekend" || folded(index) == "wochenende" else { return nil }
        return Day(CivilDay(number: today.mondayNumber + (isBound ? 4 : 6) + (isNext ? 7 : 0)), end: index + 1)
    }

    private func unitPart(at index: Int, _ part: SpanPart, isNext: Bool) -> Day? {
        let step = isNext ? 1 : 0
        switch folded(index) {
        case "week", "woche":
            switch part {
            case .start: return Day(CivilDay(number: today.mondayNumber + 7 * step), end: index + 1)
            case .middle: return Day(CivilDay(number: today.mondayNumber + 7 * step + 2), end: index + 1)
            case .end: return Day(weekEnd(weeks: step), end: index + 1)
            case .whole: return Day(CivilDay(number: today.mondayNumber + 7 * step + 6), end: index + 1)
            }
        case "month", "monat", "monats":
            guard let last = today.endOfMonth(adding: step) else { return nil }
            let (year, month, _) = last.parts
            switch part {
            case .start: return Day(CivilDay(year: year, month: month, day: 1), end: index + 1)
            case .middle: return Day(CivilDay(year: year, month: month, day: 15), end: index + 1)
            case .end, .whole: return Day(last, end: index + 1)
            }
        case "quarter", "quartal", "quartals": return step == 0 ? Day(endOfQuarter(), end: index + 1) : nil
        case "year", "jahr", "jahres":
            return Day(CivilDay(year: today.parts.year + step, month: 12, day: 31), end: index + 1)
        default: return nil
        }
    }

    private func monthPart(at index: Int, _ part: SpanPart, hasPart: Bool) -> Day? {
        guard hasPart, index < tokens.count else { return nil }
        guard let month = Lexicon.months[folded(index)] else {
            guard tokens[index].kind == .number, tokens[index].folded.utf8.count == 4, part == .end else { return nil }
            return Day(CivilDay(year: tokens[index].number, month: 12, day: 31), end: index + 1)
        }
        let date = part == .start ? 1 : part == .middle ? 15 : 28
        guard let day = next(month: month, day: date) else { return nil }
        return Day(part == .end ? day.endOfMonth() : day, end: index + 1)
    }

    /// The Friday of a week. On a weekend, the present week ends with the Sunday.
    private func weekEnd(weeks: Int) -> CivilDay? {
        let isPast = weeks == 0 && today.weekday > 5
        return CivilDay(number: today.mondayNumber + 7 * weeks + (isPast ? 6 : 4))
    }

    private func endOfYear() -> CivilDay? { CivilDay(year: today.parts.year, month: 12, day: 31) }

    private func endOfQuarter() -> CivilDay? {
        today.endOfMonth(adding: 2 - (today.parts.month - 1) % 3)
    }

    // MARK: Dates

    /// The next day with this month and day, the present day included.
    func next(month: Int, day: Int) -> CivilDay? {
        let year = today.parts.year
        // Eight years hold a 29 February even around 2100.
        for later in 0...8 {
            if let date = CivilDay(year: year + later, month: month, day: day), date.number >= today.number {
                return date
            }
        }
        return nil
    }

    /// The next day with this number in its month.
    func next(day: Int) -> CivilDay? {
        let (year, month, _) = today.parts
        // Of two months in a row, one has 31 days.
        for later in 0...2 {
            let number = year * 12 + month - 1 + later
            let date = CivilDay(year: number / 12, month: number % 12 + 1, day: day)
            if let date, date.number >= today.number { return date }
        }
        return nil
    }
}
