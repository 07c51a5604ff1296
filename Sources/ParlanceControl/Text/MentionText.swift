package import ParlanceWords

extension UnknownMention {
    /// What the writer is told of it.
    private var note: Phrase {
        let (typed, meant) = (NameText.plain(typed), NameText.plain(meant))
        return Phrase("@\(typed) is nobody here, and mentions nobody. Did you mean @\(meant)?")
    }

    fileprivate static func notes(_ mentions: [UnknownMention]?) -> [Phrase] { (mentions ?? []).map(\.note) }
}

extension SendReply {
    /// What the writer is told of mentions that mean nobody.
    package var mentionNotes: [Phrase] { UnknownMention.notes(unknownMentions) }
}

extension MessageInfo {
    /// What the writer of the new text is told of mentions that mean nobody.
    package var mentionNotes: [Phrase] { UnknownMention.notes(unknownMentions) }
}
