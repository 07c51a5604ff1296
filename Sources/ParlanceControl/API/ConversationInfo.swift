package import ParlanceWords

/// A conversation as people see it in a list.
package struct ConversationInfo: Codable, Equatable, Sendable {
    package var id: String
    package var kind: ConversationKind
    /// The group's title or the peer's display name.
    package var title: String
    /// The peer ID of the other person; direct conversations only.
    package var peer: String?
    /// How far the other person is trusted; direct conversations only.
    package var trust: Trust?
    /// Why the other person may be mistaken for somebody else; direct conversations only.
    package var warning: Phrase?
    package var lastMessage: MessageInfo?
    package var lastActivity: ControlTime?
    package var unread: Int
    /// How many of the unread messages mention the user.
    package var mentions: Int
    /// The other person's presence; direct conversations only.
    package var presence: PresenceState?
    /// How far first contact has come.
    package var contact: ContactState
    /// The beginning of the first message of a peer that asks to talk.
    package var preview: String?
    /// How many members the group has, the user among them; groups only.
    package var members: Int?
    /// Whether the user is a member; groups only.
    package var isMember: Bool?
    /// How the user's membership ended; only for groups that the user is not a member of.
    package var ended: DepartureInfo?
    /// The group's topic, if it has one.
    package var topic: String?
    /// Whether it stands before the others in lists; absent if not.
    package var pinned: Bool?
    /// Whether it is muted at present; absent if not.
    package var muted: Bool?
    /// When the mute ends; absent if the user has to end it.
    package var mutedUntil: ControlTime?
    /// The part of each day in which it is as muted; absent if there is none.
    package var quiet: String?
    /// The age in seconds at which messages are removed from this computer; absent if they stay.
    package var retain: Int?
    /// Whether lists leave it out, because the user has hidden or deleted it; absent if not.
    package var hidden: Bool?
    /// How long messages stay for everybody; absent if nobody has said anything about it.
    package var disappear: DisappearInfo?

    package init(
        id: String,
        kind: ConversationKind = .direct,
        title: String,
        peer: String? = nil,
        lastMessage: MessageInfo? = nil,
        lastActivity: ControlTime? = nil,
        unread: Int = 0,
        mentions: Int = 0,
        presence: PresenceState? = nil,
        contact: ContactState = .open,
        preview: String? = nil,
        members: Int? = nil,
        isMember: Bool? = nil,
        topic: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.title = title
        self.peer = peer
        self.lastMessage = lastMessage
        self.lastActivity = lastActivity
        self.unread = unread
        self.mentions = mentions
        self.presence = presence
        self.contact = contact
        self.preview = preview
        self.members = members
        self.isMember = isMember
        self.topic = topic
    }
}
