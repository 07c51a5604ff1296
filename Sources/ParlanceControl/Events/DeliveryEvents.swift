package import ParlanceWords

// Events about the delivery of this user's messages.

/// All messages of this user in a conversation, up to and including one, have reached at least a status.
///
/// One such event may stand for thousands of messages.
package struct StatusEvent: ControlEvent {
    package static let kind = ControlEventKind(of: "status")

    package var conversation: String
    /// The name of the conversation: the group's title or the peer's name.
    package var title: String
    package var status: MessageStatus
    /// The ID of the last entry that is covered: a message, or a change to one, such as an edit.
    package var through: String
    /// The sequence number of that entry in the local log.
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

/// All messages of this user to a group that are for a member, up to and including one, are on the member's device or
/// were read there.
package struct ReachedEvent: ControlEvent {
    package static let kind = ControlEventKind(of: "reached")

    package var conversation: String
    /// The group's title.
    package var title: String
    package var member: Person
    /// `delivered` or `read`.
    package var status: MessageStatus
    /// The sequence number, in the local log, of the last message that is covered.
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

/// A recipient refuses the messages of this user that it does not have, up to and including one.
package struct FailedEvent: ControlEvent {
    package static let kind = ControlEventKind(of: "failed")

    package var conversation: String
    /// The name of the conversation: the group's title or the peer's name.
    package var title: String
    /// The sequence number, in the local log, of the last message refused.
    package var sequence: UInt64
    /// The peer ID of the recipient that refuses.
    package var recipient: String
    package var why: Phrase
    /// How far the recipient is trusted.
    package var trust: Trust?

    package init(conversation: String, title: String, sequence: UInt64, recipient: String, why: Phrase) {
        self.conversation = conversation
        self.title = title
        self.sequence = sequence
        self.recipient = recipient
        self.why = why
    }

    package var conversationID: String? { conversation }
}

/// A message is no longer shown.
package struct WithdrawnEvent: ControlEvent {
    package static let kind = ControlEventKind(of: "withdrawn")

    /// The message's ID.
    package var id: String

    package init(id: String) {
        self.id = id
    }
}

/// Messages were removed from this computer because of their age.
package struct RemovedEvent: ControlEvent {
    package static let kind = ControlEventKind(of: "removed")

    package var conversation: String
    /// The name of the conversation: the group's title or the peer's name.
    package var title: String
    /// The messages' IDs.
    package var ids: [String]
    /// How far the peer of a direct conversation is trusted; absent in groups.
    package var trust: Trust?

    package init(conversation: String, title: String, ids: [String]) {
        self.conversation = conversation
        self.title = title
        self.ids = ids
    }

    package var conversationID: String? { conversation }
    package var cost: Int { ControlLimits.eventCostBytes + ids.reduce(0) { $0 + $1.utf8.count } }
}
