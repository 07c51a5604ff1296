import ArgumentParser
import ParlanceControl
import ParlanceWords

/// For how long a conversation is muted, as typed: `30m`, `8h`, `2d` or `1w`.
struct MuteLength {
    let seconds: Int

    init(typed: String) throws {
        guard let seconds = PeriodText.seconds(of: typed) else {
            throw ValidationError(say("Give a number with m, h, d or w, such as 30m, 8h, 2d or 1w."))
        }
        self.seconds = seconds
    }
}
