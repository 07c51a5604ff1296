/// Reads dates of the calendar.
extension DeadlineReader {
    /// "14.3.", "14. März", "March 14th", "the 14th", "2026-03-14" and the like.
    func date(at index: Int, introduced: Bool, isBound: Bool) -> Day? {
        guard index < tokens.count else { return nil }
        if Lexicon.months[folded(index)] != nil { return monthFirst(at: index) }
        let start = folded(index) == "the" ? index + 1 : index
        guard start < tokens.count, tokens[start].kind == .number else { return nil }
        if let iso = isoDate(at: start) { return iso }
        return dottedDate(at: start, introduced: introduced) ?? slashedDate(at: start, introduced: introduced)
            ?? dayFirst(at: start, introduced: introduced || start > index)
    }

    private func isNumber(_ index: Int) -> Bool {
        index < tokens.count && tokens[index].kind == .number
    }

    private func isJoined(_ index: Int) -> Bool {
        index < tokens.count && !tokens[index].hasSpaceBefore
    }

    private func isoDate(at index: Int) -> Day? {
        guard tokens[index].folded.utf8.count == 4, folded(index + 1) == "-", folded(index + 3) == "-",
            isNumber(index + 2), isNumber(index + 4), (1...4).allSatisfy({ isJoined(index + $0) })
        else { return nil }
        let day = CivilDay(
            year: tokens[index].number,
            month: tokens[index + 2].number,
            day: tokens[index + 4].number
        )
        return Day(day, end: index + 5)
    }

    private func dottedDate(at index: Int, introduced: Bool) -> Day? {
        guard folded(index + 1) == ".", isJoined(index + 1), isNumber(index + 2) else { return nil }
        let (date, month) = (tokens[index].number, tokens[index + 2].number)
        guard tokens[index].folded.utf8.count <= 2, tokens[index + 2].folded.utf8.count <= 2 else { return nil }
        guard folded(index + 3) == ".", isJoined(index + 3) else {
            // "14.3" without its last full stop is often a version or an amount.
            let isTime = folded(index + 3) == "uhr"
            guard introduced, !isTime, isJoined(index + 2), folded(index + 3) != "%" else { return nil }
            return Day(next(month: month, day: date), end: index + 3)
        }
        if isNumber(index + 4), let year = year(at: index + 4) {
            if let day = CivilDay(year: year, month: month, day: date) { return Day(day, end: index + 5) }
            return nil
        }
        return Day(next(month: month, day: date), end: index + 4)
    }

    private func slashedDate(at index: Int, introduced: Bool) -> Day? {
        guard folded(index + 1) == "/", isJoined(index + 1), isNumber(index + 2), isJoined(index + 2) else {
            return nil
        }
        let (first, second) = (tokens[index].number, tokens[index + 2].number)
        let (month, date) = first > 12 ? (second, first) : (first, second)
        if folded(index + 3) == "/", isNumber(index + 4), let year = year(at: index + 4) {
            return Day(CivilDay(year: year, month: month, day: date), end: index + 5)
        }
        guard introduced else { return nil }
        return Day(next(month: month, day: date), end: index + 3)
    }

    /// "14. März 2027", "14th of March", "14 March", "the 14th", "zum 14.".
    private func dayFirst(at index: Int, introduced: Bool) -> Day? {
        let date = tokens[index].number
        guard tokens[index].folded.utf8.count <= 2, date >= 1, date <= 31 else { return nil }
        var next = index + 1
        var isOrdinal = false
        if isJoined(next), ["st", "nd", "rd", "th"].contains(folded(next)) {
            isOrdinal = true
            next += 1
            if folded(next) == "of" { next += 1 }
        } else if folded(next) == ".", isJoined(next) {
            isOrdinal = true
            next += 1
        }
        if let month = Lexicon.months[folded(next)] { return withYear(month: month, day: date, at: next + 1) }
        if folded(next - 1) == ".", isSentenceEnd(next), !Lexicon.dateArticles.contains(folded(index - 1)) {
            return nil
        }
        guard isOrdinal, introduced, !isNumber(next) || tokens[next].hasSpaceBefore else { return nil }
        return Day(self.next(day: date), end: folded(next - 1) == "of" ? next - 1 : next)
    }

    /// Whether a full stop before this token ends a sentence.
    private func isSentenceEnd(_ index: Int) -> Bool {
        index >= tokens.count || tokens[index].kind == .lineEnd || tokens[index].isCapital
    }

    private func monthFirst(at index: Int) -> Day? {
        guard let month = Lexicon.months[folded(index)] else { return nil }
        var next = index + 1
        if folded(next) == ".", isJoined(next) { next += 1 }
        if folded(next) == "the" { next += 1 }
        guard isNumber(next), tokens[next].folded.utf8.count <= 2, folded(next + 1) != ":", folded(next + 1) != "%"
        else { return nil }
        let date = tokens[next].number
        next += 1
        if isJoined(next), ["st", "nd", "rd", "th"].contains(folded(next)) { next += 1 }
        return withYear(month: month, day: date, at: next)
    }

    private func withYear(month: Int, day: Int, at index: Int) -> Day? {
        let start = folded(index) == "," ? index + 1 : index
        if isNumber(start), tokens[start].folded.utf8.count == 4, let year = year(at: start) {
            return Day(CivilDay(year: year, month: month, day: day), end: start + 1)
        }
        return Day(next(month: month, day: day), end: index)
    }

    /// A year of four digits, or of two digits from 1970 to 2069.
    private func year(at index: Int) -> Int? {
        let number = tokens[index].number
        switch tokens[index].folded.utf8.count {
        case 4: return (1970...9999).contains(number) ? number : nil
        case 2: return number < 70 ? 2000 + number : 1900 + number
        default: return nil
        }
    }
}
