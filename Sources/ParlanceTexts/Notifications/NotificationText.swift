import ParlanceControl
import ParlanceWords

/// The words of a notification. Names and texts of others are harmless in them: one line each, of bounded length, without
/// control characters. They are plain text; where a body is markup, the caller escapes it.
package enum NotificationText {
    /// Characters of a text that are shown: what fits two lines of a notification.
    private static let characters = 200
    /// Unicode scalars of it: a character may be made of any number of them.
    private static let scalars = 400

    /// The beginning of a text, in one line.
    package static func short(_ text: String) -> String {
        let kept = String(String.UnicodeScalarView(text.unicodeScalars.prefix(scalars))).prefix(characters)
        let isCut = kept.unicodeScalars.count < text.unicodeScalars.count
        let lines = kept.split { $0.isNewline }.joined(separator: " ")
        return VisibleText.line(lines) + (isCut ? "…" : "")
    }

    /// What to call the conversation of a message.
    static func title(_ message: MessageInfo) -> String {
        short(message.group.map { NameText.plain($0) } ?? message.shownSender)
    }

    /// A message: with its author, unless the title says who that is.
    static func line(_ message: MessageInfo) -> Phrase {
        let text = short(message.text.isEmpty ? message.files?.first?.name ?? "" : message.text)
        guard message.group != nil else { return Phrase(verbatim: text) }
        let sender = short(message.shownSender)
        return message.mentionsMe == true ? Phrase("\(sender) mentions you: \(text)") : Phrase("\(sender): \(text)")
    }

    /// The last message of several, with their number.
    static func body(count: Int, last: Phrase?) -> Phrase {
        guard count > 1 else { return last ?? Phrase("1 new message") }
        let total = Phrase("\(count) new messages")
        return last.map { Phrase.joined([total, $0], by: "\n") } ?? total
    }

    /// - Parameter count: how many have asked since the user was last notified, at least.
    static func requestTitle(_ event: RequestEvent, count: Int) -> Phrase {
        let name = short(NameText.plain(event.name))
        return count > 1 ? Phrase("\(name) and others ask to talk") : Phrase("\(name) asks to talk")
    }

    static func requestBody(_ event: RequestEvent) -> Phrase {
        let preview = Phrase(verbatim: short(event.preview))
        guard let warning = event.warning else { return preview }
        return Phrase.joined([preview, Phrase("Warning: \(warning)")], by: "\n")
    }
}
