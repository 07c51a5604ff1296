/// A day of the calendar (Gregorian, as in ISO 8601), in no time zone.
package struct CivilDay: Equatable, Comparable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int

    /// - Returns: `nil` if there is no such day in the years that clocks of computers show.
    package init?(year: Int, month: Int, day: Int) {
        guard (1970...9999).contains(year), (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The first of all days here.
    package static let first = CivilDay(of: 1970, 1, 1)

    private init(of year: Int, _ month: Int, _ day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The day before; the first day of 1970 stays.
    package var before: CivilDay {
        var earlier = self
        if day > 1 {
            earlier.day -= 1
        } else if month > 1 {
            earlier.month -= 1
            earlier.day = Self.days(in: earlier.month, of: year)
        } else if year > 1970 {
            (earlier.year, earlier.month, earlier.day) = (year - 1, 12, 31)
        }
        return earlier
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    package static func < (one: CivilDay, other: CivilDay) -> Bool {
        (one.year, one.month, one.day) < (other.year, other.month, other.day)
    }
}

/// A day as a query names it.
package enum SearchDay: Equatable, Sendable {
    case day(CivilDay)
    case today
    case yesterday

    /// `2026-11-24`, `2026-11` and `2026` (the first day of it), `today`, `yesterday`.
    package init?(_ typed: String) {
        switch typed.lowercased() {
        case "today": self = .today
        case "yesterday": self = .yesterday
        default:
            let parts = typed.split(separator: "-", omittingEmptySubsequences: false)
            guard (1...3).contains(parts.count), parts[0].utf8.count == 4,
                parts.dropFirst().allSatisfy({ (1...2).contains($0.utf8.count) })
            else { return nil }
            let numbers = parts.compactMap { part in
                part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
            }
            guard numbers.count == parts.count,
                let day = CivilDay(
                    year: numbers[0],
                    month: numbers.count > 1 ? numbers[1] : 1,
                    day: numbers.count > 2 ? numbers[2] : 1
                )
            else { return nil }
            self = .day(day)
        }
    }

    /// The day itself, seen from another day.
    package func day(on today: CivilDay) -> CivilDay {
        switch self {
        case .day(let day): day
        case .today: today
        case .yesterday: today.before
        }
    }
}
