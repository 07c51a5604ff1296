import ParlanceControl
import ParlanceCore
import ParlanceWords

/// The setting `file-rate`: the most bytes of files to send in a second, and to fetch, always or in some hours.
struct FileRate: Equatable, Sendable {
    /// Bytes a second.
    let bytes: UInt64
    /// The hours in which it holds; `nil`: always.
    let hours: DayPart?

    /// Reads `2 MiB` or `2 MiB 8:00-18:00`; nil for anything else.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        let hours = words.last.flatMap { QuietHours(String($0)) }
        let size = hours == nil ? text : words.dropLast().joined(separator: " ")
        guard let bytes = SizeText.bytes(of: size) else { return nil }
        self.bytes = bytes
        self.hours = hours.flatMap { DayPart(start: $0.start, end: $0.end) }
    }

    /// `2 MiB 08:00-18:00`
    var text: String {
        let size = SizeText.typed(bytes)
        return hours.map { "\(size) \(QuietHours(start: $0.start, end: $0.end).text)" } ?? size
    }

    /// The bytes a second that are allowed now; `nil`: no limit.
    func bytes(at clock: LocalClock) -> UInt64? {
        hours?.contains(minute: clock.minute(clock.now)) == false ? nil : bytes
    }

    /// Milliseconds until the next minute, when hours can begin or end. So the node notices within a minute that the clock
    /// was set, the computer slept or summer time began.
    static func pause(at clock: LocalClock) -> Int64 {
        let rest = clock.now.milliseconds % 60_000
        return rest < 0 ? -rest : 60_000 - rest
    }
}
