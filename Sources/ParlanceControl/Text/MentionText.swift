package import ParlanceWords

extension SendReply {
    /// What the writer is told of mentions that mean nobody.
    package var mentionNotes: [Phrase] {
        (unknownMentions ?? []).map { mention in
            let (typed, meant) = (NameText.plain(mention.typed), NameText.plain(mention.meant))
            return Phrase("@\(typed) is nobody here, and mentions nobody. Did you mean @\(meant)?")
        }
    }
}
