package import ParlanceWords

/// How long messages stay for everybody in a conversation, in words.
package enum DisappearText {
    /// `messages disappear after 7 days`; nil if they stay.
    package static func words(_ info: DisappearInfo?) -> String? {
        info?.after.map { say("messages disappear after \(PeriodText.words(seconds: $0))") }
    }

    /// What counts, and what is missing for it, in one sentence or two.
    ///
    /// - Parameter command: what to type, without the length, to say something about it.
    package static func sentence(_ conversation: ConversationInfo, command: String) -> Phrase {
        let title = NameText.marked(conversation.title, conversation.trust)
        let info = conversation.disappear ?? DisappearInfo()
        if let after = info.after {
            return Phrase(
                "Messages of \(title) disappear from every computer after \(PeriodText.words(seconds: after)), once they are read and delivered."
            )
        }
        if let you = info.you, you > 0 {
            return Phrase(
                "You want messages to disappear after \(PeriodText.words(seconds: you)). This counts once \(title) wants it too."
            )
        }
        if let others = info.others, others > 0 {
            let (period, length) = (PeriodText.words(seconds: others), PeriodText.typed(seconds: others))
            return Phrase(
                "\(title) wants messages to disappear after \(period). To agree: \(command) \(length)"
            )
        }
        return Phrase("Messages of \(title) do not disappear.")
    }
}
