/// What was begun in one conversation and not sent, as it is kept between two chat screens.
package struct KeptDraft: Codable, Equatable, Sendable {
    /// The ID of the person or group; what the user typed until that is known; empty while no conversation is open.
    package var who: String
    /// What stands in the line.
    package var text: String
    /// The message that the text answers.
    package var answers: String?
    /// The message that the text replaces.
    package var edits: String?
    /// The message that stood in the line before the answer or the edit was begun.
    package var aside: String?
    /// The message that `/reply` or `/react` is about.
    package var about: String?

    package init(
        who: String,
        text: String = "",
        answers: String? = nil,
        edits: String? = nil,
        aside: String? = nil,
        about: String? = nil
    ) {
        self.who = who
        self.text = text
        self.answers = answers
        self.edits = edits
        self.aside = aside
        self.about = about
    }

    /// Whether there is nothing to keep: the draft was sent, or the line was emptied.
    package var isEmpty: Bool { text.isEmpty && aside?.isEmpty ?? true }

    /// The same with texts of a bounded length. What is cut is more than a message can hold.
    var bounded: KeptDraft {
        var result = self
        result.text = Self.cut(text)
        result.aside = aside.map(Self.cut)
        return result
    }

    /// The most bytes that it can take in a file: an escaped character has six for one.
    var mostBytes: Int {
        let texts = [who, text, answers, edits, aside, about]
        return texts.reduce(256) { $0 + 6 * ($1?.utf8.count ?? 0) }
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > ControlLimits.draftTextBytes else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: ControlLimits.draftTextBytes)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return String(text[..<end])
    }
}
