package import ParlanceControl
package import ParlanceWords

/// What clearing, deleting and hiding a conversation does, in the same words in the command and in the chat.
package enum ClearText {
    /// What has to be confirmed first.
    package static func question(_ conversation: ConversationInfo, deletes: Bool) -> Phrase {
        let title = NameText.marked(conversation.title, conversation.trust)
        let cleared = Phrase(
            """
            This removes everything that is in \(title) now from this computer for good: messages, reactions, and files \
            that no other message names. The others keep what they have.
            """
        )
        let parts = [cleared, whatWaits(conversation)] + (deletes ? [whatFollows(conversation)] : [])
        return Phrase.joined(parts, by: " ")
    }

    private static func whatWaits(_ conversation: ConversationInfo) -> Phrase {
        guard let ended = conversation.ended else {
            return Phrase("What you wrote and somebody has not received yet stays until it is delivered.")
        }
        return ended.by.me == true
            ? Phrase("What you wrote and nobody has received goes too: you left, so nobody gets it from here.")
            : Phrase(
                "What you wrote and nobody has received stays: you were removed, and may turn out to be a member still."
            )
    }

    private static func whatFollows(_ conversation: ConversationInfo) -> Phrase {
        if conversation.kind == .direct {
            return Phrase("The conversation leaves your list until one of you writes in it again.")
        }
        if conversation.isMember == false { return Phrase("The group leaves your list.") }
        return Phrase(
            """
            The group leaves your list. You stay a member: what others write there is removed from this computer as it \
            comes, until you show the group again or write in it.
            """
        )
    }

    /// What was done.
    package static func done(_ reply: ClearReply, deletes: Bool) -> Phrase {
        let title = NameText.marked(reply.title, reply.trust)
        let what = deletes ? Phrase("\(title) is deleted.") : Phrase("\(title) is cleared.")
        guard reply.waiting > 0 else { return what }
        let rest =
            reply.waiting == 1
            ? Phrase("1 entry of yours stays until it is delivered.")
            : Phrase("\(reply.waiting) entries of yours stay until they are delivered.")
        return Phrase.joined([what, rest], by: " ")
    }

    package static func hidden(_ info: PreferenceInfo) -> Phrase {
        Phrase("\(NameText.marked(info.title, info.trust)) is hidden until something new is written in it.")
    }

    package static func shown(_ info: PreferenceInfo) -> Phrase {
        Phrase("\(NameText.marked(info.title, info.trust)) is in your list.")
    }
}
