package import ParlanceControl
package import ParlanceWords

/// A message in one line, for lists.
package enum MessageSummary {
    /// `Bob: See you at noon`; it contains unescaped names and texts, so apply `VisibleText` before showing it.
    ///
    /// - Parameter withSender: whether the name of another sender stands before the text.
    package static func line(_ message: MessageInfo, withSender: Bool) -> String {
        if let note = NoteText.sentence(message) { return "* \(note)" }
        let who = message.mine ? say("You") + ": " : withSender ? "\(message.shownSender): " : ""
        if let placeholder = placeholder(for: message) {
            return (message.blocked == true ? "" : who) + say(placeholder)
        }
        let files = (message.files ?? []).map { "[\(FileText.facts($0))]" }.joined(separator: " ")
        return who + [message.text, files].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// What stands in place of the text of a message that is deleted, or whose sender is blocked.
    package static func placeholder(for message: MessageInfo) -> Phrase? {
        if let deletion = message.deleted { return phrase(for: deletion) }
        return message.blocked == true ? Phrase("(a message of \(message.shownSender), whom you have blocked)") : nil
    }

    private static func phrase(for deletion: DeletionInfo) -> Phrase {
        deletion.by.me == true ? Phrase("(deleted by you)") : Phrase("(deleted by \(deletion.by.shownName))")
    }

    /// What stands in place of a deleted text.
    package static func deleted(_ deletion: DeletionInfo) -> String {
        say(phrase(for: deletion))
    }

    /// `Ada: See you at noon`, the message that another answers.
    ///
    /// - Parameter withBlocked: whether to show what blocked people wrote.
    package static func quote(_ quote: QuoteInfo, withBlocked: Bool = false) -> String {
        let name = quote.sender.me == true ? say("You") : quote.sender.shownName
        if quote.blocked == true, !withBlocked { return say("(a message of \(name))") }
        return "\(name): \(quote.text.isEmpty ? say("(not shown any more)") : quote.text)"
    }

    /// `👍 Ada and you  ❤️ Bob`.
    package static func reactions(_ reactions: [ReactionInfo]) -> String {
        reactions.map { "\($0.emoji) \(say(PeopleText.list($0.people, count: $0.count)))" }.joined(separator: "  ")
    }
}
