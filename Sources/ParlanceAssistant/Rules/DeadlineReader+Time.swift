/// Reads times of day.
extension DeadlineReader {
    /// The time or the part of a day that starts at a token.
    func time(at index: Int) -> ClockTime? {
        guard index < tokens.count else { return nil }
        if let named = namedTime(at: index) { return named }
        if let part = partOfHour(at: index) { return part }
        if tokens[index].folded == "halb", index + 1 < tokens.count, let hour = hour(at: index + 1), hour > 0 {
            return ClockTime(minute: hour * 60 - 30, end: index + 2, isUncertain: hour <= 12)
        }
        return clockTime(at: index)
    }

    /// "half past two", "quarter to 3", "viertel nach acht".
    private func partOfHour(at index: Int) -> ClockTime? {
        guard index + 2 < tokens.count else { return nil }
        let minutes: Int
        switch folded(index) {
        case "half" where folded(index + 1) == "past": minutes = 30
        case "quarter", "viertel":
            guard ["past", "nach", "to", "vor"].contains(folded(index + 1)) else { return nil }
            minutes = folded(index + 1) == "past" || folded(index + 1) == "nach" ? 15 : -15
        default: return nil
        }
        guard let hour = hour(at: index + 2), hour > 0, hour <= 12 else { return nil }
        let half = half(at: index + 3)
        let minute = (half == nil ? hour : hour % 12 + (half?.isAfternoon == true ? 12 : 0)) * 60 + minutes
        return ClockTime(minute: max(0, minute), end: half?.end ?? index + 3, isUncertain: half == nil && hour < 12)
    }

    private func namedTime(at index: Int) -> ClockTime? {
        let end = tokens.count
        var length = Lexicon.endsOfDay.length(at: index, in: tokens, before: end)
        if length > 0 { return ClockTime(end: index + length, isEndOfDay: true) }
        length = Lexicon.noons.length(at: index, in: tokens, before: end)
        if length > 0 {
            // "after lunch" names no time.
            let isAfter = ["after", "nach"].contains(folded(index - 1)) || folded(index - 2) == "nach"
            return ClockTime(minute: isAfter ? nil : 720, end: index + length, isEndOfDay: isAfter)
        }
        if Lexicon.midnights.contains(tokens[index]) {
            return ClockTime(minute: Deadline.minutesOfDay, end: index + 1)
        }
        if Lexicon.mornings.contains(tokens[index]) {
            return ClockTime(end: index + 1, standsAlone: false, isAfternoon: false)
        }
        if Lexicon.afternoons.contains(tokens[index]) {
            return ClockTime(end: index + 1, standsAlone: false, isAfternoon: true)
        }
        return nil
    }

    private func hour(at index: Int) -> Int? {
        let hour = tokens[index].kind == .number ? tokens[index].number : Lexicon.numbers[tokens[index].folded]
        guard let hour, hour <= 24 else { return nil }
        return hour
    }

    private func clockTime(at index: Int) -> ClockTime? {
        guard let hour = hour(at: index) else { return nil }
        let isNumber = tokens[index].kind == .number
        var next = index + 1
        var minute = 0
        var hasMinutes = false
        if isNumber, let written = writtenMinutes(at: next) {
            minute = written
            hasMinutes = true
            next += 2
        }
        guard hour * 60 + minute <= Deadline.minutesOfDay else { return nil }
        let isUncertain = hour >= 1 && hour < 12 && folded(index).first != "0"
        if let half = half(at: next) {
            guard (1...12).contains(hour) else { return nil }
            return ClockTime(
                minute: hour % 12 * 60 + minute + (half.isAfternoon ? 720 : 0),
                end: half.end,
                isAfternoon: half.isAfternoon
            )
        }
        if folded(next) == "uhr" || folded(next) == "o'clock" {
            next += 1
            if !hasMinutes, next < tokens.count, tokens[next].kind == .number, tokens[next].number < 60,
                tokens[next].folded.count == 2
            {
                minute = tokens[next].number
                next += 1
            }
            return ClockTime(minute: hour * 60 + minute, end: next, isUncertain: isUncertain)
        }
        if hasMinutes {
            guard folded(index + 1) == ":" else { return nil }
            return ClockTime(minute: hour * 60 + minute, end: next, isUncertain: isUncertain)
        }
        guard index > 0, Lexicon.timeIntroducers.contains(tokens[index - 1]), isNumber || hour > 1,
            isEnd(next) || isClockIntroduced(index, next)
        else { return nil }
        return ClockTime(minute: hour * 60, end: next, isUncertain: isUncertain)
    }

    /// The minutes in ":30", or in ".30" before "Uhr" or "pm".
    private func writtenMinutes(at index: Int) -> Int? {
        guard index + 1 < tokens.count, tokens[index].folded == ":" || tokens[index].folded == ".",
            !tokens[index].hasSpaceBefore, !tokens[index + 1].hasSpaceBefore, tokens[index + 1].kind == .number,
            tokens[index + 1].folded.utf8.count == 2, tokens[index + 1].number < 60
        else { return nil }
        let isTime = tokens[index].folded == ":" || folded(index + 2) == "uhr" || half(at: index + 2) != nil
        return isTime ? tokens[index + 1].number : nil
    }

    /// "am", "pm", "a.m." or "p.m.".
    private func half(at index: Int) -> (isAfternoon: Bool, end: Int)? {
        switch folded(index) {
        case "pm": return (true, index + 1)
        case "am":
            // "um 5 am Montag" is German.
            let next = folded(index + 1)
            let isGerman =
                Lexicon.weekdays[next] != nil || (index + 1 < tokens.count && tokens[index + 1].kind == .number)
                || Lexicon.afternoons.contains(next) || Lexicon.mornings.contains(next)
            return isGerman && tokens[index].hasSpaceBefore ? nil : (false, index + 1)
        case "a", "p":
            guard folded(index + 1) == ".", folded(index + 2) == "m" else { return nil }
            return (folded(index) == "p", folded(index + 3) == "." ? index + 4 : index + 3)
        default: return nil
        }
    }

    /// "um 7 schicken", but not "um 7 Prozent" and not "at 5 minutes".
    private func isClockIntroduced(_ index: Int, _ next: Int) -> Bool {
        guard ["um", "gegen", "at"].contains(tokens[index - 1].folded), next < tokens.count else { return false }
        return tokens[next].kind == .word && !tokens[next].isCapital && tokens[next].hasSpaceBefore
            && Lexicon.units[tokens[next].folded] == nil
    }

    /// Whether nothing follows that a bare number could count.
    private func isEnd(_ index: Int) -> Bool {
        guard index < tokens.count, tokens[index].kind != .lineEnd else { return true }
        if tokens[index].kind == .sign {
            // "9.3" and "10%" are no times.
            let sign = tokens[index].folded
            guard ".,!?;)-–".contains(sign) else { return false }
            return index + 1 >= tokens.count || tokens[index + 1].kind != .number || tokens[index + 1].hasSpaceBefore
        }
        return Lexicon.afterTimes.contains(tokens[index]) || Lexicon.weekdays[tokens[index].folded] != nil
            || Lexicon.relativeDays[tokens[index].folded] != nil
    }

    /// The folded text of a token, or "" past the end.
    func folded(_ index: Int) -> String {
        index >= 0 && index < tokens.count ? tokens[index].folded : ""
    }
}
