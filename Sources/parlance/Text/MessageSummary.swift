import ParlanceControl

/// A message in one line, for lists.
enum MessageSummary {
    /// `Bob: See you at noon`; it contains unescaped names and texts, so apply `VisibleText` before showing it.
    ///
    /// - Parameter withSender: whether the name of another sender stands before the text.
    static func line(_ message: MessageInfo, withSender: Bool) -> String {
        if let note = NoteText.sentence(message) { return "* \(note)" }
        let who = message.mine ? "You: " : withSender ? "\(message.shownSender): " : ""
        if message.blocked == true { return "(a message of \(message.shownSender), whom you have blocked)" }
        if let deletion = message.deleted {
            return "\(who)(deleted by \(deletion.by.shownName))"
        }
        return who + message.text
    }
}
