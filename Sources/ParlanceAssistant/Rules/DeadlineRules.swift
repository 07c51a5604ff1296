/// Finds the day and the time by which something is due.
///
/// The choices of reading:
/// - A weekday is the next one after the day of the message, with "next" as well as without it.
///   Only "this Monday" on a Monday is the same day.
/// - "This week" ends on Sunday. "End of the week" is Friday, its start Monday, its middle Wednesday.
///   "By the weekend" is Friday, "at the weekend" Sunday.
/// - A date without a year is the next such date, the day of the message included.
/// - "3/4" is read with the month first, unless the first number cannot be a month.
/// - A time without a day is the next such time. An hour up to 11 without a half of the day moves to the
///   afternoon if the morning has passed; on a later day, hours up to 6 are in the afternoon.
/// - "Tonight", "end of day" and other parts of a day name the day only; noon and lunch are 12:00.
/// - Of several days, the first after a word such as "by" counts, else the first.
package enum DeadlineRules {
    /// The deadline that a text names, or nil.
    ///
    /// - Parameters:
    ///   - text: The untrusted text.
    ///   - time: When the text was sent, in milliseconds since 1970.
    ///   - offset: The offset of the reader's clock, in seconds east of UTC.
    package static func deadline(in text: String, at time: Int64, offset: Int) -> Deadline? {
        let tokens = Tokenizer.tokens(of: text)
        guard let reader = DeadlineReader(tokens: tokens, time: time, offset: offset) else { return nil }
        return best(of: reader.deadlines(in: tokens.indices))?.deadline
    }

    /// The one of several deadlines that counts.
    static func best(of deadlines: some Collection<LocatedDeadline>) -> LocatedDeadline? {
        deadlines.first { $0.isBound } ?? deadlines.first
    }
}
