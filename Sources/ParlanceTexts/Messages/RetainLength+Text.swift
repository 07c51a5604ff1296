package import ParlanceControl
package import ParlanceWords

extension RetainLength {
    /// Of a length that the node does not take.
    package static let impossible = Phrase(
        "Messages are kept for 1 hour to 10 years: give a length such as 12h, 90d or 52w."
    )

    /// What has to be confirmed first.
    ///
    /// - Parameter command: the command that does it.
    package static func question(_ seconds: Int, command: String) -> (message: Phrase, advice: Phrase) {
        let period = PeriodText.words(seconds: seconds)
        return (
            Phrase("This would remove what is older than \(period) from this computer for good."),
            Phrase("To do it: \(command)")
        )
    }

    /// What is set for a conversation.
    package static func line(_ title: String, _ seconds: Int?) -> Phrase {
        guard let seconds else { return Phrase("Messages of \(title) are kept.") }
        let period = PeriodText.words(seconds: seconds)
        return Phrase(
            "Messages of \(title) are removed from this computer after \(period), once they are read and delivered."
        )
    }
}
