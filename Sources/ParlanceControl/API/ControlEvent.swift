/// Something that happened at a node, as told to its subscribers.
package enum ControlEvent: Equatable, Sendable {
    /// A new message of anybody, the own ones included.
    case message(MessageInfo)
    /// A new line that says how a conversation changed.
    case note(MessageInfo)
    /// A message that was there before changed: edited, deleted, reacted to.
    case changed(MessageInfo)
    /// A message is shown no more: its author took it back.
    case withdrawn(WithdrawnEvent)
    /// A group came, or its title, topic or members changed.
    case group(GroupInfo)
    /// A watermark over the own messages of a conversation.
    case status(StatusEvent)
    /// A watermark of one member over the own messages of a group.
    case reached(ReachedEvent)
    /// A recipient refuses what waits for it.
    case failed(FailedEvent)
    /// A peer came into sight, went, or changed in any way but its presence.
    case peer(PeerInfo)
    case presence(PresenceEvent)
    case typing(TypingEvent)
    /// A peer that is not accepted asks to talk.
    case request(RequestEvent)
    case discovery(DiscoveryInfo)
    /// The node is about to stop; the last event of every subscription.
    case stopping(StoppingEvent)
    /// The subscriber was too slow and the subscription has ended; made by the server, not by the node.
    case lagged(LaggedEvent)

    /// The kinds of events, by their stable names.
    package enum Kind: String, Codable, JSONWord, Sendable {
        case message, note, changed, withdrawn, group, status, reached, failed, peer, presence, typing, request,
            discovery, stopping, lagged
    }

    package var kind: Kind {
        switch self {
        case .message: .message
        case .note: .note
        case .changed: .changed
        case .withdrawn: .withdrawn
        case .group: .group
        case .status: .status
        case .reached: .reached
        case .failed: .failed
        case .peer: .peer
        case .presence: .presence
        case .typing: .typing
        case .request: .request
        case .discovery: .discovery
        case .stopping: .stopping
        case .lagged: .lagged
        }
    }

    /// The conversation the event belongs to, if it belongs to one.
    package var conversation: String? {
        switch self {
        case .message(let message), .note(let message), .changed(let message): message.conversation
        case .group(let group): group.id
        case .status(let status): status.conversation
        case .reached(let reached): reached.conversation
        case .failed(let failed): failed.conversation
        case .typing(let typing): typing.conversation
        case .withdrawn, .peer, .presence, .request, .discovery, .stopping, .lagged: nil
        }
    }
}

/// All own messages of a conversation, up to and including one, have reached at least a status.
///
/// One such event may stand for thousands of messages.
package struct StatusEvent: Codable, Equatable, Sendable {
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
}

/// All own messages of a group that are for a member, up to and including one, are on its device, or have been read there.
package struct ReachedEvent: Codable, Equatable, Sendable {
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
}

/// A message is shown no more.
package struct WithdrawnEvent: Codable, Equatable, Sendable {
    /// The message's ID.
    package var id: String

    package init(id: String) {
        self.id = id
    }
}

/// A recipient refuses the own messages of a conversation that it has not got, up to and including one.
package struct FailedEvent: Codable, Equatable, Sendable {
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
}

/// A peer's presence changed.
package struct PresenceEvent: Codable, Equatable, Sendable {
    package var peer: String
    package var displayName: String
    package var presence: PresenceState
    package var statusText: String?
    package var lastSeen: ControlTime?
    package var trust: Trust?

    package init(
        peer: String,
        displayName: String,
        presence: PresenceState,
        statusText: String? = nil,
        lastSeen: ControlTime? = nil
    ) {
        self.peer = peer
        self.displayName = displayName
        self.presence = presence
        self.statusText = statusText
        self.lastSeen = lastSeen
    }
}

/// A peer began or ceased to type.
package struct TypingEvent: Codable, Equatable, Sendable {
    package var peer: String
    package var displayName: String
    package var conversation: String
    /// The group's title; absent in direct conversations.
    package var group: String?
    package var active: Bool
    package var trust: Trust?

    package init(peer: String, displayName: String, conversation: String, group: String? = nil, active: Bool) {
        self.peer = peer
        self.displayName = displayName
        self.conversation = conversation
        self.group = group
        self.active = active
    }
}

/// A peer that is not accepted asks to talk.
package struct RequestEvent: Codable, Equatable, Sendable {
    package var peer: String
    package var name: String
    /// The beginning of its first message, at most 500 bytes.
    package var preview: String
    package var time: ControlTime
    /// Why it may be taken for somebody else: its name is known here; in one sentence.
    package var warning: String?

    package init(peer: String, name: String, preview: String, time: ControlTime, warning: String? = nil) {
        self.peer = peer
        self.name = name
        self.preview = preview
        self.time = time
        self.warning = warning
    }
}

/// The node is about to stop.
package struct StoppingEvent: Codable, Equatable, Sendable {
    /// One sentence for people, which also says that it stops.
    package var why: String

    package init(why: String) {
        self.why = why
    }
}

/// A subscription has ended because its reader was too slow.
package struct LaggedEvent: Codable, Equatable, Sendable {
    /// How many events the buffer held when it overflowed; they are dropped.
    package var dropped: Int

    package init(dropped: Int) {
        self.dropped = dropped
    }
}
