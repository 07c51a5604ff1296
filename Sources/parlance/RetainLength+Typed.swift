import ArgumentParser
import ParlanceControl
import ParlanceWords

extension RetainLength {
    /// Reads an argument of a command.
    static func typed(_ text: String) throws -> RetainLength {
        if let length = RetainLength(text) { return length }
        throw ValidationError(say(PeriodText.isZeroOrLess(text) ? .moreThanZero(values) : values))
    }

    static let values = Phrase("Give a number with h, d or w, such as 12h, 90d or 52w; or off.")
}
