package import ParlanceControl
package import ParlanceWords

extension UnknownMention {
    /// What the writer is told of it.
    private var note: Phrase {
        let typed = NameText.plain(typed)
        if let absent { return Phrase("\(NameText.plain(absent)) is not in the group, so @\(typed) mentions nobody.") }
        guard let meant else { return Phrase("@\(typed) is nobody here, and mentions nobody.") }
        return Phrase("@\(typed) is nobody here, and mentions nobody. Did you mean @\(NameText.plain(meant))?")
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
