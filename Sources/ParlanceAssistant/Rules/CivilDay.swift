/// A day of the Gregorian calendar in the years 1970 to 9999.
struct CivilDay: Hashable, Sendable {
    /// The days since 1 January 1970.
    let number: Int

    /// The number of 31 December 9999.
    private static let last = 2_932_896

    /// Makes the day with this number, or nil if it lies outside 1970 to 9999.
    init?(number: Int) {
        guard (0...Self.last).contains(number) else { return nil }
        self.number = number
    }

    /// Makes the day from its parts, or nil if there is no such day in 1970 to 9999.
    init?(year: Int, month: Int, day: Int) {
        guard (1970...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.length(ofMonth: month, year: year)
        else { return nil }
        // The year starts in March here, so that the leap day is its last day.
        let shifted = month > 2 ? year : year - 1
        let century = shifted / 400
        let yearOfEra = shifted - century * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        number = century * 146_097 + dayOfEra - 719_468
    }

    /// The year, the month from 1 and the day from 1.
    var parts: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// The day of the week, from Monday as 1 to Sunday as 7.
    var weekday: Int { (number + 3) % 7 + 1 }

    /// The Monday of the week of this day. It can lie before 1970.
    var mondayNumber: Int { number - (weekday - 1) }

    /// The day this many days later, or nil outside 1970 to 9999.
    func adding(days: Int) -> CivilDay? {
        let (sum, overflow) = number.addingReportingOverflow(days)
        return overflow ? nil : CivilDay(number: sum)
    }

    /// The same day this many months later. A shorter month gives its last day.
    func adding(months: Int) -> CivilDay? {
        let (year, month, day) = parts
        let (sum, overflow) = (year * 12 + month - 1).addingReportingOverflow(months)
        guard !overflow, sum > 0 else { return nil }
        let length = Self.length(ofMonth: sum % 12 + 1, year: sum / 12)
        return CivilDay(year: sum / 12, month: sum % 12 + 1, day: min(day, length))
    }

    /// The last day of the month this many months later.
    func endOfMonth(adding months: Int = 0) -> CivilDay? {
        guard let day = adding(months: months) else { return nil }
        let (year, month, _) = day.parts
        return CivilDay(year: year, month: month, day: Self.length(ofMonth: month, year: year))
    }

    /// The number of days of a month from 1 to 12.
    static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
