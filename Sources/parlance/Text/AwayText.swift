import ParlanceControl
import ParlanceWords

/// Why others see the user as away.
struct AwayText {
    let away: AwayInfo
    let clock: LocalClock

    /// For the line of a status: `seen as away: no input since 14:03`.
    var short: String {
        switch away.reason {
        case .idle: say("seen as away: no input since \(clock.short(away.since))")
        case .locked: say("seen as away: the screen has been locked since \(clock.short(away.since))")
        }
    }

    /// Sentences.
    var whole: String {
        switch away.reason {
        case .idle:
            say("Others see you as away: no input since \(clock.short(away.since)). \(Self.remedy)")
        case .locked:
            say("Others see you as away: the screen has been locked since \(clock.short(away.since)). \(Self.remedy)")
        }
    }

    private static let remedy = Phrase("To be seen as online: parlance presence online")
}
