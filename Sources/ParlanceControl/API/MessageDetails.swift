/// Somebody, as a list of people names them.
package struct Person: Codable, Equatable, Sendable {
    /// The whole peer ID.
    package var id: String
    package var displayName: String
    /// Whether it is oneself; absent where it is not.
    package var me: Bool?
    /// How far it is trusted; absent for oneself.
    package var trust: Trust?

    package init(id: String, displayName: String, me: Bool = false, trust: Trust? = nil) {
        self.id = id
        self.displayName = displayName
        self.me = me ? true : nil
        self.trust = trust
    }
}

/// How a group changed, or that somebody's messages go on in two branches, which is told in any conversation.
package struct NoteInfo: Codable, Equatable, Sendable {
    package var kind: Kind
    /// Whom it is about: those added, removed, made admins or dismissed, or the first members.
    package var people: [Person]
    /// The new title or topic; an empty topic was taken away.
    package var text: String?

    package init(_ kind: Kind, people: [Person] = [], text: String? = nil) {
        self.kind = kind
        self.people = people
        self.text = text
    }

    package enum Kind: String, Codable, JSONWord, Sendable {
        case created, added, removed, left, appointed, dismissed, renamed, topic, forked
    }
}

/// The message that another one answers.
package struct QuoteInfo: Codable, Equatable, Sendable {
    /// The message's ID.
    package var id: String
    package var sender: Person
    /// The beginning of its text as it is now; empty if it is not shown (any more).
    package var text: String
    /// Whether its sender is blocked here; absent where not.
    package var blocked: Bool?

    package init(id: String, sender: Person, text: String, blocked: Bool = false) {
        self.id = id
        self.sender = sender
        self.text = text
        self.blocked = blocked ? true : nil
    }
}

/// Who deleted a message, and when.
package struct DeletionInfo: Codable, Equatable, Sendable {
    package var by: Person
    package var time: ControlTime

    package init(by: Person, time: ControlTime) {
        self.by = by
        self.time = time
    }
}

/// One kind of reaction to a message.
package struct ReactionInfo: Codable, Equatable, Sendable {
    package var emoji: String
    /// How many have reacted so.
    package var count: Int
    /// Who, the first of them.
    package var people: [Person]

    package init(emoji: String, count: Int, people: [Person]) {
        self.emoji = emoji
        self.count = count
        self.people = people
    }
}

/// How far an own message has come in a group.
package struct ReachInfo: Codable, Equatable, Sendable {
    /// How many members it is for.
    package var recipients: Int
    /// How many of those hold it durably.
    package var delivered: Int
    /// How many of those have read it.
    package var read: Int
    /// Who has read it, the first of them.
    package var readBy: [Person]

    package init(recipients: Int, delivered: Int, read: Int, readBy: [Person]) {
        self.recipients = recipients
        self.delivered = delivered
        self.read = read
        self.readBy = readBy
    }
}
