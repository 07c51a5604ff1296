package import ParlanceWords

/// A peer as people see it.
package struct PeerInfo: Codable, Equatable, Sendable {
    /// The full peer ID: 56 characters, no spaces.
    package var id: String
    /// The name it gave itself; pinned at acceptance. Empty before the first contact.
    package var name: String
    /// The name that the user gave it.
    package var alias: String?
    /// The name to show: the alias, else the name (with a suffix if another has that name), else the short ID.
    package var displayName: String
    package var trust: Trust
    /// The name it announces now, if it differs from the one pinned at acceptance.
    package var newName: String?
    /// Why it may be mistaken for somebody else: a newcomer with a name that is known here; in one sentence.
    package var warning: Phrase?
    /// Whether discovery sees it.
    package var nearby: Bool
    /// Whether an authenticated link is up.
    package var connected: Bool
    /// Whether it has asked to talk, and the user has neither accepted nor declined; absent if not.
    package var asks: Bool?
    /// Whether the peer and this node carry messages for each other; absent if not.
    package var courier: Bool?
    /// Its picture; absent if none is here.
    package var picture: PictureInfo?
    /// `host:port` or `[address]:port`, the one in use first.
    package var addresses: [String]
    /// Absent without a link if the peer is not accepted: only links tell presence.
    package var presence: PresenceState?
    package var statusText: String?
    package var lastSeen: ControlTime?
    /// How many of its messages the user has not read; absent in events and verifications, where nobody counts.
    package var unread: Int?
    /// Why there is no link, or other news: a request to talk, or a new name.
    package var note: Phrase?
    /// The problems between this node and the peer; absent if there are none.
    package var problems: [NodeStatus.Problem]?
    /// The next attempt to dial it, if a link is wanted.
    package var nextTry: ControlTime?

    package init(
        id: String,
        name: String,
        alias: String? = nil,
        displayName: String,
        trust: Trust,
        newName: String? = nil,
        warning: Phrase? = nil,
        nearby: Bool = false,
        connected: Bool = false,
        addresses: [String] = [],
        presence: PresenceState? = nil,
        statusText: String? = nil,
        lastSeen: ControlTime? = nil,
        unread: Int? = nil,
        note: Phrase? = nil,
        nextTry: ControlTime? = nil
    ) {
        self.id = id
        self.name = name
        self.alias = alias
        self.displayName = displayName
        self.trust = trust
        self.newName = newName
        self.warning = warning
        self.nearby = nearby
        self.connected = connected
        self.addresses = addresses
        self.presence = presence
        self.statusText = statusText
        self.lastSeen = lastSeen
        self.unread = unread
        self.note = note
        self.nextTry = nextTry
    }
}
