package import ParlanceWords

/// For how long messages are kept, as typed: `12h`, `90d`, `52w` or `off`; the command and the chat say the same.
package enum RetainLength: Equatable, Sendable {
    case off
    /// - seconds
    case after(Int)

    package init?(_ text: String) {
        if text.lowercased() == "off" {
            self = .off
        } else if let seconds = PeriodText.seconds(of: text) {
            self = .after(seconds)
        } else {
            return nil
        }
    }

    /// Nil: without an end.
    package var seconds: Int? { if case .after(let seconds) = self { seconds } else { nil } }

    /// Whether the node takes it.
    package var isPossible: Bool { seconds.map(RetainOperation.lengths.contains) ?? true }

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
