/// A civil day and, if named, a time of day, on the reader's clock.
///
/// A deadline without a time means the whole day, so it comes after all times of its day. It is
/// encoded as its text.
package struct Deadline: Equatable, Sendable, Codable, Comparable {
    let day: CivilDay
    /// The minutes since midnight, or nil if no time is named.
    let minute: Int?

    /// The minutes of a day.
    static let minutesOfDay = 1440

    /// Makes a deadline. A time outside the day is dropped.
    init(day: CivilDay, minute: Int? = nil) {
        self.day = day
        self.minute = minute.flatMap { (0..<Self.minutesOfDay).contains($0) ? $0 : nil }
    }

    /// Reads the ISO 8601 text that `text` writes, or gives nil.
    package init?(text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10 || bytes.count == 16 else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            bytes[range].reduce(Optional(0)) { sum, byte in
                guard let sum, byte >= 0x30, byte <= 0x39 else { return nil }
                return sum * 10 + Int(byte - 0x30)
            }
        }
        guard bytes[4] == 0x2D, bytes[7] == 0x2D, let year = number(0..<4), let month = number(5..<7),
            let date = number(8..<10), let day = CivilDay(year: year, month: month, day: date)
        else { return nil }
        guard bytes.count == 16 else {
            self.init(day: day)
            return
        }
        guard bytes[10] == 0x54, bytes[13] == 0x3A, let hour = number(11..<13), hour < 24,
            let minute = number(14..<16), minute < 60
        else { return nil }
        self.init(day: day, minute: hour * 60 + minute)
    }

    /// The deadline in ISO 8601: `2026-03-06` or `2026-03-06T12:00`.
    package var text: String {
        let (year, month, date) = day.parts
        let dayText = "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(date, 2))"
        guard let minute else { return dayText }
        return "\(dayText)T\(Self.padded(minute / 60, 2)):\(Self.padded(minute % 60, 2))"
    }

    /// Whether it has passed at a moment of the reader's clock. One without a time lasts until its day ends.
    func isOver(at day: CivilDay, minute: Int) -> Bool { self < Deadline(day: day, minute: minute) }

    package static func < (left: Deadline, right: Deadline) -> Bool {
        (left.day.number, left.minute ?? minutesOfDay) < (right.day.number, right.minute ?? minutesOfDay)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let deadline = Deadline(text: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a deadline")
        }
        self = deadline
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
