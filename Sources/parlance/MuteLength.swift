import ArgumentParser
import ParlanceWords

/// For how long a conversation is muted, as typed: `30m`, `8h`, `2d` or `1w`.
struct MuteLength {
    let seconds: Int

    init(typed: String) throws {
        guard let seconds = PeriodText.seconds(of: typed) else {
            throw ValidationError(say(PeriodText.isZeroOrLess(typed) ? .moreThanZero(Self.values) : Self.values))
        }
        self.seconds = seconds
    }

    static let values = Phrase("Give a number with m, h, d or w, such as 30m, 8h, 2d or 1w.")
}

extension Phrase {
    /// - Parameter values: what is taken, in a sentence.
    static func moreThanZero(_ values: Phrase) -> Phrase {
        joined([Phrase("A length must be more than zero."), values], by: " ")
    }
}
