import ParlanceControl

/// A message in one line, where there is no room for more.
enum MessageSummary {
    /// `Bob: See you at noon`; it holds names and texts of others as they are, so make it visible text before showing it.
    ///
    /// - Parameter withSender: whether the name of somebody else stands before the text.
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
