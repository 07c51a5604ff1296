package import ParlanceWords

/// A group as people see it.
package struct GroupInfo: Codable, Equatable, Sendable {
    /// The conversation's ID.
    package var id: String
    package var title: String
    /// Absent where there is none.
    package var topic: String?
    /// How long messages stay for everybody; absent if no admin has said anything about it.
    package var disappear: DisappearInfo?
    /// Whether the user is a member.
    package var isMember: Bool
    /// Whether the user is an admin.
    package var isAdmin: Bool
    /// How the user's membership ended; absent for a member.
    package var ended: DepartureInfo?
    /// How many events of the group this node holds.
    package var events: Int
    /// The user first, then by name.
    package var members: [MemberInfo]

    package init(
        id: String,
        title: String,
        topic: String? = nil,
        isMember: Bool,
        isAdmin: Bool,
        events: Int,
        members: [MemberInfo]
    ) {
        self.id = id
        self.title = title
        self.topic = topic
        self.isMember = isMember
        self.isAdmin = isAdmin
        self.events = events
        self.members = members
    }
}

/// How the user's membership of a group ended.
package struct DepartureInfo: Codable, Equatable, Sendable {
    /// Who removed the user; the user, if they left.
    package var by: Person
    package var time: ControlTime

    package init(by: Person, time: ControlTime) {
        self.by = by
        self.time = time
    }

    /// `Ada removed you`; it contains an unescaped name.
    package var sentence: Phrase {
        by.me == true ? Phrase("you left") : Phrase("\(by.displayName) removed you")
    }
}

/// A member of a group.
package struct MemberInfo: Codable, Equatable, Sendable {
    /// The whole peer ID.
    package var id: String
    package var displayName: String
    /// Whether this is the user; absent if not.
    package var me: Bool?
    package var admin: Bool
    /// Absent for the user.
    package var trust: Trust?
    /// Whether an authenticated link is up.
    package var connected: Bool
    package var presence: PresenceState
    package var statusText: String?
    package var lastSeen: ControlTime?
    /// How many of the events held here the member is not known to hold.
    package var lacks: Int
    /// `true` for a member who has to accept this user before it gets the group.
    package var asked: Bool?

    package init(
        id: String,
        displayName: String,
        me: Bool = false,
        admin: Bool,
        trust: Trust? = nil,
        connected: Bool,
        presence: PresenceState,
        statusText: String? = nil,
        lastSeen: ControlTime? = nil,
        lacks: Int
    ) {
        self.id = id
        self.displayName = displayName
        self.me = me ? true : nil
        self.admin = admin
        self.trust = trust
        self.connected = connected
        self.presence = presence
        self.statusText = statusText
        self.lastSeen = lastSeen
        self.lacks = lacks
    }
}
