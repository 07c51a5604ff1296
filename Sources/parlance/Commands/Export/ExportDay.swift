import ParlanceControl

/// A day of an export in one offset from UTC: times are read elsewhere and later, so a heading says what they mean.
struct ExportDay: Equatable {
    private let day: Int64
    /// `Monday, 17 November 2025 (UTC+01:00)`.
    let heading: String

    init(_ time: ControlTime, _ clock: LocalClock) {
        day = clock.day(time)
        heading = "\(clock.dayName(time)) (UTC\(clock.offsetText(time)))"
    }
}
