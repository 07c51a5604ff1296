package import ParlanceWords

// Events about peers and groups.

/// A peer's presence changed.
package struct PresenceEvent: ControlEvent {
    package static let kind = ControlEventKind(of: "presence")

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

/// A peer started or stopped typing.
package struct TypingEvent: ControlEvent {
    package static let kind = ControlEventKind(of: "typing")

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

    package var conversationID: String? { conversation }
}

/// A peer that is not accepted asks to talk.
package struct RequestEvent: ControlEvent {
    package static let kind = ControlEventKind(of: "request")

    package var peer: String
    package var name: String
    /// The beginning of its first message, at most 500 bytes.
    package var preview: String
    package var time: ControlTime
    /// Why the peer may be mistaken for somebody else (its name is known here), in one sentence.
    package var warning: Phrase?

    package init(peer: String, name: String, preview: String, time: ControlTime, warning: Phrase? = nil) {
        self.peer = peer
        self.name = name
        self.preview = preview
        self.time = time
        self.warning = warning
    }
}

/// A peer appeared, disappeared, or changed in any way but its presence.
extension PeerInfo: ControlEvent {
    package static let kind = ControlEventKind(of: "peer")
}

/// A group appeared, or its title, topic or members changed.
extension GroupInfo: ControlEvent {
    package static let kind = ControlEventKind(of: "group")

    package var conversationID: String? { id }
    package var cost: Int { ControlLimits.eventCostBytes + members.count * ControlLimits.personCostBytes }
}

/// The user's settings for a conversation changed. That a mute has ended is not an event.
extension PreferenceInfo: ControlEvent {
    package static let kind = ControlEventKind(of: "preference")

    package var conversationID: String? { conversation }
}
