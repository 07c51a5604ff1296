import ParlanceControl
import ParlanceTerminal
import ParlanceWords

/// A message in one line, for lists.
enum MessageSummary {
    /// `Bob: See you at noon`; it contains unescaped names and texts, so apply `VisibleText` before showing it.
    ///
    /// - Parameter withSender: whether the name of another sender stands before the text.
    static func line(_ message: MessageInfo, withSender: Bool) -> String {
        if let note = NoteText.sentence(message) { return "* \(note)" }
        let who = message.mine ? say("You") + ": " : withSender ? "\(message.shownSender): " : ""
        if message.blocked == true { return say("(a message of \(message.shownSender), whom you have blocked)") }
        if let deletion = message.deleted {
            return who + deleted(deletion)
        }
        return who + message.text
    }

    /// What stands in place of a deleted text.
    static func deleted(_ deletion: DeletionInfo) -> String {
        deletion.by.me == true ? say("(deleted by you)") : say("(deleted by \(deletion.by.shownName))")
    }

    /// The columns shown of the text of a message that was meant by `last`.
    private static let meantWidth = 60

    /// The line that says for which message `last` stood, to show as it is; none if it was not said.
    static func meant(_ message: MeantMessage?) -> [String] {
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
