package import ParlanceControl
package import ParlanceWords

/// How long messages stay for everybody in a conversation, in words.
package enum DisappearText {
    /// `messages disappear after 7 days`; nil if they stay.
    package static func words(_ info: DisappearInfo?) -> String? {
        info?.after.map { say("messages disappear after \(PeriodText.words(seconds: $0))") }
    }

    /// What counts, and what is missing for it.
    ///
    /// - Parameter command: what to type, without the length, to say something about it.
    package static func sentence(_ conversation: ConversationInfo, command: String, _ clock: LocalClock) -> Phrase {
        let title = NameText.marked(conversation.title, conversation.trust)
        let info = conversation.disappear ?? DisappearInfo()
        if let after = info.after { return counting(info, after, title, clock) }
        if let you = info.you, you > 0 {
            let period = PeriodText.words(seconds: you)
            return Phrase(
                "Messages of \(title) do not disappear. You want that after \(period); it counts once \(title) wants it too."
            )
        }
        if let others = info.others, others > 0 {
            let (period, length) = (PeriodText.words(seconds: others), PeriodText.typed(seconds: others))
            return Phrase(
                "Messages of \(title) do not disappear. \(title) wants that after \(period). To agree: \(command) \(length)"
            )
        }
        return Phrase("Messages of \(title) do not disappear.")
    }

    private static func counting(_ info: DisappearInfo, _ after: Int, _ title: String, _ clock: LocalClock) -> Phrase {
        let period = PeriodText.words(seconds: after)
        let sentence = Phrase(
            "Messages of \(title) disappear from every computer after \(period), once they are read and delivered."
        )
        var all = [sentence]
        if let you = info.you, let others = info.others, you != others {
            let (own, other) = (PeriodText.words(seconds: you), PeriodText.words(seconds: others))
            all.append(Phrase("You want that after \(own), \(title) after \(other): the longer time counts."))
        }
        if let since = info.since {
            let first = ControlTime(milliseconds: since.milliseconds + Int64(after) * 1_000)
            if first > clock.now { all.append(Phrase("From this computer none goes before \(clock.short(first)).")) }
        }
        return Phrase.joined(all, by: " ")
    }
}
