/// A peer as people see it.
package struct PeerInfo: Codable, Equatable, Sendable {
    /// The whole peer ID: 56 characters, no spaces.
    package var id: String
    /// The name it gave itself; pinned once accepted. Empty before the first contact.
    package var name: String
    /// The name given to it here.
    package var alias: String?
    /// What to call it: the alias, else the name (with a suffix if another has that name), else the short ID.
    package var displayName: String
    package var trust: Trust
    /// What it announces now, where that is another name than the one it had when it was accepted.
    package var newName: String?
    /// Why it may be taken for somebody else: a newcomer with a name that is known here; in one sentence.
    package var warning: String?
    /// Seen by discovery.
    package var nearby: Bool
    /// An authenticated link is up.
    package var connected: Bool
    /// Whether it carries messages for this node, and this node for it; absent if not.
    package var courier: Bool?
    /// `host:port` or `[address]:port`, the one in use first.
    package var addresses: [String]
    package var presence: PresenceState
    package var statusText: String?
    package var lastSeen: ControlTime?
    /// How many of its messages have not been read here; absent in events and verifications, where nobody counts.
    package var unread: Int?
    /// Why there is no link, or what else is to be said (that it asks to talk, a new name of a friend).
    package var note: String?
    /// What stands between this node and the peer; absent if nothing does.
    package var problems: [NodeStatus.Problem]?
    /// When it will be dialled next, if it is waited for.
    package var nextTry: ControlTime?

    package init(
        id: String,
        name: String,
        alias: String? = nil,
        displayName: String,
        trust: Trust,
        newName: String? = nil,
        warning: String? = nil,
        nearby: Bool = false,
        connected: Bool = false,
        addresses: [String] = [],
        presence: PresenceState = .offline,
        statusText: String? = nil,
        lastSeen: ControlTime? = nil,
        unread: Int? = nil,
        note: String? = nil,
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
