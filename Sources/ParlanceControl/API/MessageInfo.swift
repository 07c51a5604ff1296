/// A message as people see it, or a line that says how the conversation changed.
package struct MessageInfo: Codable, Equatable, Sendable {
    package var id: String
    package var conversation: String
    /// The author's peer ID.
    package var sender: String
    package var senderName: String
    /// How far the sender is trusted; absent for oneself.
    package var senderTrust: Trust?
    package var mine: Bool
    /// The text as it is now; empty if it was deleted, and in a line about the group.
    package var text: String
    /// The time to show.
    package var time: ControlTime
    /// How far it has come; own messages only, and not if it is for nobody.
    package var status: MessageStatus?
    /// Its number in the own log, from 1; own messages only.
    package var sequence: UInt64?
    /// Why it waits, in one sentence; own messages that wait only.
    package var waitingReason: String?
    /// How many members it has reached; own messages of groups only.
    package var reach: ReachInfo?
    /// The group's title; absent in direct conversations.
    package var group: String?
    /// Set if this is no message, but a line that says how the conversation changed.
    package var note: NoteInfo?
    /// What it answers.
    package var answers: QuoteInfo?
    /// How many versions of the text there are; absent if it was never edited.
    package var versions: Int?
    package var deleted: DeletionInfo?
    package var reactions: [ReactionInfo]?
    /// Whom it mentions, the first of them.
    package var mentions: [Person]?
    /// Whether it mentions oneself; absent where not.
    package var mentionsMe: Bool?
    /// Whether its sender is blocked here; absent where not. It is folded away then.
    package var blocked: Bool?
    /// Whether something that it refers to is not here yet, so that its place may become a later one; absent where not.
    package var waits: Bool?

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
        waitingReason: String? = nil
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

/// A message that has not yet reached everybody it is for, or what was done to one.
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
    /// The peers it waits for.
    package var recipients: [Recipient]
    /// When it was written.
    package var since: ControlTime
    package var status: MessageStatus
    /// Why it waits, in one sentence.
    package var why: String
    /// When it is tried next; absent if something else is waited for, as `why` says.
    package var nextTry: ControlTime?
    /// The beginning of the text, for people to tell items apart; what was done, if it is no message.
    package var preview: String
    /// The group's title; absent in direct conversations.
    package var group: String?
    /// How many members it waits for, `recipients` being the first of them; groups only.
    package var waitsFor: Int?

    package init(
        id: String,
        conversation: String,
        recipients: [Recipient],
        since: ControlTime,
        status: MessageStatus,
        why: String,
        nextTry: ControlTime? = nil,
        preview: String
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

    /// A peer a message waits for.
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
