/// A group as people see it.
package struct GroupInfo: Codable, Equatable, Sendable {
    /// The conversation's ID.
    package var id: String
    package var title: String
    /// Absent where there is none.
    package var topic: String?
    /// Whether one is a member oneself.
    package var isMember: Bool
    /// Whether one is an admin oneself.
    package var isAdmin: Bool
    /// How one's own membership ended; absent for a member.
    package var ended: DepartureInfo?
    /// How many events of the group are held here.
    package var events: Int
    /// Oneself first, then by name.
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

/// How one's own membership of a group ended.
package struct DepartureInfo: Codable, Equatable, Sendable {
    /// Who removed one; oneself, if one left.
    package var by: Person
    package var time: ControlTime

    package init(by: Person, time: ControlTime) {
        self.by = by
        self.time = time
    }

    /// `Ada removed you`; it holds names of others as they are.
    package var sentence: String { by.me == true ? "you left" : "\(by.displayName) removed you" }
}

/// A member of a group.
package struct MemberInfo: Codable, Equatable, Sendable {
    /// The whole peer ID.
    package var id: String
    package var displayName: String
    /// Whether it is oneself; absent where it is not.
    package var me: Bool?
    package var admin: Bool
    /// Absent for oneself.
    package var trust: Trust?
    /// An authenticated link is up.
    package var connected: Bool
    package var presence: PresenceState
    package var statusText: String?
    package var lastSeen: ControlTime?
    /// How many of the events held here it is not known to hold.
    package var lacks: Int

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
