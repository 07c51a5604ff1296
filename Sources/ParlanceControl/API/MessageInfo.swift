package import ParlanceWords

/// A message as people see it, or a line about a change of the conversation.
package struct MessageInfo: Codable, Equatable, Sendable {
    package var id: String
    package var conversation: String
    /// The author's peer ID.
    package var sender: String
    package var senderName: String
    /// How far the sender is trusted; absent for the user.
    package var senderTrust: Trust?
    package var mine: Bool
    /// The current text; empty if it was deleted, and in a line about the group.
    package var text: String
    /// The time to show.
    package var time: ControlTime
    /// Its place in the conversation: messages stand in the order of these texts. Older daemons do not tell it.
    package var position: String?
    /// How far it has come; only for messages of this user that have recipients.
    package var status: MessageStatus?
    /// Its sequence number in the local log, from 1; only for messages of this user.
    package var sequence: UInt64?
    /// Why it waits, in one sentence; only for messages of this user that wait.
    package var waitingReason: Phrase?
    /// How many members it has reached; only for messages of this user in groups.
    package var reach: ReachInfo?
    /// The group's title; absent in direct conversations.
    package var group: String?
    /// Set if this is not a message, but a line about a change of the conversation.
    package var note: NoteInfo?
    /// The message that it answers.
    package var answers: QuoteInfo?
    /// The files that it names; absent if there are none.
    package var files: [FileInfo]?
    /// How many versions the text has; absent if it was never edited.
    package var versions: Int?
    package var deleted: DeletionInfo?
    package var reactions: [ReactionInfo]?
    /// The first of the people that it mentions.
    package var mentions: [Person]?
    /// How many people it mentions, if `mentions` has only the first of them.
    package var mentionCount: Int?
    /// Where the mentions stand in its text; absent if there are none, and of the first only if there are very many.
    package var mentionPlaces: [TextPlace]?
    /// Whether it mentions the user; absent if not.
    package var mentionsMe: Bool?
    /// Whether the user has not read it; absent if they have, and in events.
    package var unread: Bool?
    /// Whether its sender is blocked; absent if not. Clients fold such a message away.
    package var blocked: Bool?
    /// Whether something that it refers to has not arrived, so that it may still move to a later place; absent if not.
    package var waits: Bool?
    /// Whether its conversation is muted, so that clients do not tell of it; only in `message` events, and absent if it
    /// mentions the user.
    package var muted: Bool?
    /// The message that `last` stood for; only in the reply to a request that said `last`.
    package var meant: ResolvedMessage?
    /// What looks like a mention in the new text and means nobody; only in the reply to `edit`.
    package var unknownMentions: [UnknownMention]?

    package init(
        id: String,
        conversation: String,
        sender: String,
        senderName: String,
        mine: Bool,
        text: String,
        time: ControlTime,
        status: MessageStatus? = nil,
        sequence: UInt64? = nil,
        waitingReason: Phrase? = nil
    ) {
        self.id = id
        self.conversation = conversation
        self.sender = sender
        self.senderName = senderName
        self.mine = mine
        self.text = text
        self.time = time
        self.status = status
        self.sequence = sequence
        self.waitingReason = waitingReason
    }
}

/// A part of a text, in UTF-16 units, in which JSON escapes letters and browsers count them.
package struct TextPlace: Codable, Equatable, Sendable {
    package var start: Int
    package var length: Int

    package init(start: Int, length: Int) {
        (self.start, self.length) = (start, length)
    }
}

/// A message, or a change to one, that has not reached everybody it is for.
package struct OutboxItem: Codable, Equatable, Sendable {
    package enum Kind: String, Codable, JSONWord, Sendable {
        case edit, deletion, reaction
    }

    /// The ID of the message, or of the edit, deletion or reaction.
    package var id: String
    /// Absent for a message.
    package var kind: Kind?
    /// The ID of the message that was edited, deleted or reacted to.
    package var about: String?
    package var conversation: String
    /// The peers that it waits for.
    package var recipients: [Recipient]
    /// When it was written.
    package var since: ControlTime
    package var status: MessageStatus
    /// Why it waits, in one sentence.
    package var why: Phrase
    /// The next attempt; absent if it waits for something else, as `why` says.
    package var nextTry: ControlTime?
    /// The beginning of the text, to tell items apart; for a change, what was done.
    package var preview: Phrase
    /// The group's title; absent in direct conversations.
    package var group: String?
    /// How many members it waits for, of which `recipients` names the first; groups only.
    package var waitsFor: Int?

    package init(
        id: String,
        conversation: String,
        recipients: [Recipient],
        since: ControlTime,
        status: MessageStatus,
        why: Phrase,
        nextTry: ControlTime? = nil,
        preview: Phrase
    ) {
        self.id = id
        self.conversation = conversation
        self.recipients = recipients
        self.since = since
        self.status = status
        self.why = why
        self.nextTry = nextTry
        self.preview = preview
    }

    /// A peer that a message waits for.
    package struct Recipient: Codable, Equatable, Sendable {
        package var id: String
        package var displayName: String
        package var trust: Trust?

        package init(id: String, displayName: String, trust: Trust? = nil) {
            self.id = id
            self.displayName = displayName
            self.trust = trust
        }
    }
}
