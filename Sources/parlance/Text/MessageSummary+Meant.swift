import ParlanceControl
import ParlanceTerminal
import ParlanceTexts
import ParlanceWords

extension MessageSummary {
    /// The columns shown of the text of a message that was meant by `last`.
    private static let meantWidth = 60

    /// The line that says for which message `last` stood, to show as it is; none if it was not said.
    static func meant(_ message: ResolvedMessage?) -> [String] {
        guard let message else { return [] }
        let who: String
        switch (message.sender.me == true, message.kind) {
        case (true, .direct): who = say("Your message to \(NameText.plain(message.title))")
        case (true, .group): who = say("Your message in \(NameText.plain(message.title))")
        case (false, .direct): who = say("The message of \(message.sender.shownName)")
        case (false, .group):
            who = say("The message of \(message.sender.shownName) in \(NameText.plain(message.title))")
        }
        return [VisibleText.line("\(who): ") + DisplayWidth.cut(VisibleText.line(message.text), to: meantWidth)]
    }
}
