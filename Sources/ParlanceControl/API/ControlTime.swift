/// A moment in milliseconds since 1970 (UTC), written in JSON as ISO 8601 with milliseconds, such as
/// `2025-11-21T01:41:00.000Z`.
package struct ControlTime: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z, within the years 0000 to 9999 so that the text has one form.
    package let milliseconds: Int64

    /// The first and last moments with a four-digit year.
    private static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// Moves values outside the years 0000 to 9999 to the nearest moment inside.
    package init(milliseconds: Int64) {
        self.milliseconds = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound)
    }

    package static func < (left: ControlTime, right: ControlTime) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

extension ControlTime: CustomStringConvertible {
    package var description: String {
        let days = milliseconds.floorDivided(by: 86_400_000)
        let rest = milliseconds - days * 86_400_000
        let date = Self.civil(fromDays: days)
        return String(unsafeUninitializedCapacity: 24) { text in
            var writer = DigitWriter(text: text)
            writer.put(date.year, digits: 4, then: "-")
            writer.put(date.month, digits: 2, then: "-")
            writer.put(date.day, digits: 2, then: "T")
            writer.put(rest / 3_600_000, digits: 2, then: ":")
            writer.put(rest / 60_000 % 60, digits: 2, then: ":")
            writer.put(rest / 1000 % 60, digits: 2, then: ".")
            writer.put(rest % 1000, digits: 3, then: "Z")
            return writer.count
        }
    }

    /// Reads exactly the form that `description` writes; nil for anything else.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let separators: [(Int, Unicode.Scalar)] = [
            (4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":"), (19, "."), (23, "Z"),
        ]
        guard bytes.count == 24, separators.allSatisfy({ bytes[$0.0] == UInt8(ascii: $0.1) }) else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            var value: Int64 = 0
            for byte in bytes[range] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - 0x30)
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), (1...12).contains(month),
            let day = number(8..<10), (1...31).contains(day), let hour = number(11..<13), hour < 24,
            let minute = number(14..<16), minute < 60, let second = number(17..<19), second < 60,
            let milli = number(20..<23)
        else { return nil }
        let days = Self.days(year: year, month: month, day: day)
        guard Self.civil(fromDays: days) == (year, month, day) else { return nil }
        self.init(milliseconds: days * 86_400_000 + hour * 3_600_000 + minute * 60_000 + second * 1000 + milli)
    }
}

extension ControlTime: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = ControlTime(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not a time such as 2025-11-21T01:41:00.000Z"
            )
        }
        self = time
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension ControlTime {
    /// The civil date of a day count (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// The day count of a civil date; the inverse of `civil`.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear.floorDivided(by: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension Int64 {
    /// Division that rounds towards minus infinity.
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}

/// Writes numbers of a fixed width, each with its separator.
private struct DigitWriter {
    let text: UnsafeMutableBufferPointer<UInt8>
    var count = 0

    mutating func put(_ value: Int64, digits: Int, then separator: Unicode.Scalar) {
        var rest = value
        for index in stride(from: count + digits - 1, through: count, by: -1) {
            text[index] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
            rest /= 10
        }
        text[count + digits] = UInt8(ascii: separator)
        count += digits + 1
    }
}
