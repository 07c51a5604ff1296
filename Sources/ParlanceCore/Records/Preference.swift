package import ParlanceWire

/// The user's own settings for a conversation. No other node learns them.
package struct Preference: Equatable, Sendable {
    /// Whether the conversation stands before the others in lists.
    package var isPinned = false
    /// `nil`: it is not muted.
    package var mute: Mute?
    /// When it is as muted each day; `nil`: never.
    package var quiet: DayPart?
    /// How old messages become before their texts are removed from this computer, in milliseconds; `nil`: they stay.
    package var retention: Int64?
    /// Why lists leave the conversation out; `nil`: they do not.
    package var unlisted: Unlisted?

    /// Why lists leave a conversation out.
    package enum Unlisted: Int64, Equatable, Sendable {
        /// The user has hidden it, until something new is written in it.
        case hidden = 1
        /// The user has deleted it. A direct conversation comes back as a hidden one does. A group comes back when the user
        /// asks for it or writes in it; until then the messages that come are removed.
        case deleted = 2
    }

    /// What counts at present of what members have said about how long messages stay, and when this node learned it. It is
    /// no setting of the user; it stands here because it is as local.
    package var agreement: Agreement?

    package struct Agreement: Equatable, Sendable {
        package var milliseconds: Int64
        /// Milliseconds since 1970, by this node's clock.
        package var since: Int64

        package init(milliseconds: Int64, since: Int64) {
            self.milliseconds = milliseconds
            self.since = since
        }
    }

    /// How long a conversation is muted.
    package enum Mute: Equatable, Sendable {
        /// Until the user ends it.
        case always
        /// Until a moment, in milliseconds since 1970. Nothing has to run then: the end is compared with the clock.
        case until(Int64)
    }

    package init() {}

    /// Whether the conversation draws no attention at a moment.
    ///
    /// - Parameters:
    ///   - wall: milliseconds since 1970.
    ///   - minute: the same in minutes since midnight of the user's time zone.
    package func isQuiet(at wall: Int64, minute: Int) -> Bool {
        isMuted(at: wall) || quiet?.contains(minute: minute) == true
    }

    /// Whether the conversation is muted at a moment, in milliseconds since 1970.
    package func isMuted(at wall: Int64) -> Bool {
        switch mute {
        case nil: false
        case .always: true
        case .until(let end): wall < end
        }
    }
}

/// The row of a conversation's settings.
package struct PreferenceRecord: Equatable, Sendable {
    package var conversation: ConversationID
    package var preference: Preference

    package init(conversation: ConversationID, preference: Preference) {
        self.conversation = conversation
        self.preference = preference
    }
}
