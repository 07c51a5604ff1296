/// A person, as lists of people name them.
package struct Person: Codable, Equatable, Sendable {
    /// The full peer ID.
    package var id: String
    package var displayName: String
    /// Whether this is the user; absent if not.
    package var me: Bool?
    /// How far the person is trusted; absent for the user.
    package var trust: Trust?

    package init(id: String, displayName: String, me: Bool = false, trust: Trust? = nil) {
        self.id = id
        self.displayName = displayName
        self.me = me ? true : nil
        self.trust = trust
    }
}

/// A change of a group, or a fork of somebody's log; a fork may appear in any conversation.
package struct NoteInfo: Codable, Equatable, Sendable {
    package var kind: Kind
    /// The people concerned: those added, removed, made admins or dismissed, or the first members.
    package var people: [Person]
    /// How many people it concerns in all, where it concerns people: `people` has only the first of many.
    package var count: Int?
    /// The new title or topic; an empty topic means that it was removed.
    package var text: String?
    /// How long messages are to stay; 0: without an end.
    package var seconds: Int?

    package init(
        _ kind: Kind,
        people: [Person] = [],
        count: Int? = nil,
        text: String? = nil,
        seconds: Int? = nil
    ) {
        self.kind = kind
        self.people = people
        self.count = count
        self.text = text
        self.seconds = seconds
    }

    package enum Kind: String, Codable, JSONWord, Sendable {
        case created, added, removed, left, appointed, dismissed, renamed, topic, lifetime, forked
    }
}

/// The message that another message answers.
package struct QuoteInfo: Codable, Equatable, Sendable {
    /// The message's ID.
    package var id: String
    package var sender: Person
    /// The beginning of its current text; empty if it is not shown.
    package var text: String
    /// Whether its sender is blocked; absent if not.
    package var blocked: Bool?

    package init(id: String, sender: Person, text: String, blocked: Bool = false) {
        self.id = id
        self.sender = sender
        self.text = text
        self.blocked = blocked ? true : nil
    }
}

/// The message that `last` stood for in a request, as it was before that request.
package struct ResolvedMessage: Codable, Equatable, Sendable {
    /// The message's ID.
    package var id: String
    package var conversation: String
    /// The name of the conversation: the group's title or the peer's name.
    package var title: String
    package var kind: ConversationKind
    package var sender: Person
    /// The beginning of its text.
    package var text: String

    package init(
        id: String,
        conversation: String,
        title: String,
        kind: ConversationKind,
        sender: Person,
        text: String
    ) {
        self.id = id
        self.conversation = conversation
        self.title = title
        self.kind = kind
        self.sender = sender
        self.text = text
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
    /// How many people have reacted this way.
    package var count: Int
    /// The first of these people.
    package var people: [Person]

    package init(emoji: String, count: Int, people: [Person]) {
        self.emoji = emoji
        self.count = count
        self.people = people
    }
}

/// How far a message of this user has come in a group.
package struct ReachInfo: Codable, Equatable, Sendable {
    /// How many members it is for.
    package var recipients: Int
    /// How many of those hold it durably.
    package var delivered: Int
    /// How many of those have read it.
    package var read: Int
    /// The first of the members who have read it.
    package var readBy: [Person]

    package init(recipients: Int, delivered: Int, read: Int, readBy: [Person]) {
        self.recipients = recipients
        self.delivered = delivered
        self.read = read
        self.readBy = readBy
    }
}
