/// The user's own settings for a conversation. No other node learns them.
package struct PreferenceInfo: Codable, Equatable, Sendable {
    /// The conversation's ID.
    package var conversation: String
    /// The name of the conversation: the group's title or the peer's name.
    package var title: String
    /// How far the peer is trusted; absent in groups.
    package var trust: Trust?
    /// Whether it stands before the others in lists.
    package var pinned: Bool
    /// Whether it is muted at present.
    package var muted: Bool
    /// When the mute ends; absent if it is not muted, or until the user ends it.
    package var mutedUntil: ControlTime?
    /// The part of each day in which it is as muted, such as `22:00-07:00`; absent if there is none.
    package var quiet: String?
    /// The age in seconds at which messages are removed from this computer; absent if they stay.
    package var retain: Int?
    /// Whether lists leave it out; absent if not.
    package var hidden: Bool?

    package init(
        conversation: String,
        title: String,
        trust: Trust? = nil,
        pinned: Bool,
        muted: Bool,
        mutedUntil: ControlTime? = nil,
        quiet: String? = nil,
        retain: Int? = nil,
        hidden: Bool? = nil
    ) {
        self.conversation = conversation
        self.title = title
        self.trust = trust
        self.pinned = pinned
        self.muted = muted
        self.mutedUntil = mutedUntil
        self.quiet = quiet
        self.retain = retain
        self.hidden = hidden
    }
}
