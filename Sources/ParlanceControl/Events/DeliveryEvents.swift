// How far the messages of this user have come.

/// All own messages of a conversation, up to and including one, have reached at least a status.
///
/// One such event may stand for thousands of messages.
package struct StatusEvent: ControlEvent {
    package static let kind = ControlEventKind(of: "status")

    package var conversation: String
    /// What to call the conversation: the peer's name where it is direct.
    package var title: String
    package var status: MessageStatus
    /// The ID of the last message that is covered, or of what was done to one, such as an edit.
    package var through: String
    /// The number of that message in the own log.
    package var sequence: UInt64
    /// How far the peer is trusted; absent in groups.
    package var trust: Trust?

    package init(conversation: String, title: String, status: MessageStatus, through: String, sequence: UInt64) {
        self.conversation = conversation
        self.title = title
        self.status = status
        self.through = through
        self.sequence = sequence
    }

    package var conversationID: String? { conversation }
}

/// All own messages of a group that are for a member, up to and including one, are on its device, or have been read there.
package struct ReachedEvent: ControlEvent {
    package static let kind = ControlEventKind(of: "reached")

    package var conversation: String
    /// The group's title.
    package var title: String
    package var member: Person
    /// `delivered` or `read`.
    package var status: MessageStatus
    /// The number of the last message that is covered, in the own log.
    package var sequence: UInt64

    package init(conversation: String, title: String, member: Person, status: MessageStatus, sequence: UInt64) {
        self.conversation = conversation
        self.title = title
        self.member = member
        self.status = status
        self.sequence = sequence
    }

    package var conversationID: String? { conversation }
}

/// A recipient refuses the own messages of a conversation that it has not got, up to and including one.
package struct FailedEvent: ControlEvent {
    package static let kind = ControlEventKind(of: "failed")

    package var conversation: String
    /// What to call the conversation: the peer's name where it is direct.
    package var title: String
    /// The number of the last message refused, in the own log.
    package var sequence: UInt64
    /// The peer ID of the recipient who refuses.
    package var recipient: String
    package var why: String
    /// How far the recipient is trusted.
    package var trust: Trust?

    package init(conversation: String, title: String, sequence: UInt64, recipient: String, why: String) {
        self.conversation = conversation
        self.title = title
        self.sequence = sequence
        self.recipient = recipient
        self.why = why
    }

    package var conversationID: String? { conversation }
}

/// A message is shown no more.
package struct WithdrawnEvent: ControlEvent {
    package static let kind = ControlEventKind(of: "withdrawn")

    /// The message's ID.
    package var id: String

    package init(id: String) {
        self.id = id
    }
}
