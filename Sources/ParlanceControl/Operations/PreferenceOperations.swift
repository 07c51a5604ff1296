/// `pin`: lets a conversation stand before the others in lists.
package struct PinOperation: ControlOperation {
    package typealias Reply = PreferenceInfo
    package static let method = "pin"

    /// A peer or a group (see WHO in protocol/control.md).
    package var who: String

    package init(who: String) {
        self.who = who
    }
}

/// `unpin`: ends that.
package struct UnpinOperation: ControlOperation {
    package typealias Reply = PreferenceInfo
    package static let method = "unpin"

    /// A peer or a group (see WHO in protocol/control.md).
    package var who: String

    package init(who: String) {
        self.who = who
    }
}

/// `mute`: asks clients to tell nothing about a conversation, except messages that mention the user.
package struct MuteOperation: ControlOperation {
    package typealias Reply = PreferenceInfo
    package static let method = "mute"

    /// A peer or a group (see WHO in protocol/control.md).
    package var who: String
    /// For how long; absent means until the user ends it.
    package var seconds: Int?
    /// A part of each day, such as `22:00-07:00`, in place of `seconds`.
    package var daily: String?

    package init(who: String, seconds: Int? = nil, daily: String? = nil) {
        self.who = who
        self.seconds = seconds
        self.daily = daily
    }
}

/// `unmute`: ends a mute, also the daily one.
package struct UnmuteOperation: ControlOperation {
    package typealias Reply = PreferenceInfo
    package static let method = "unmute"

    /// A peer or a group (see WHO in protocol/control.md).
    package var who: String

    package init(who: String) {
        self.who = who
    }
}

/// `retain`: removes messages from this computer once they are old.
package struct RetainOperation: ControlOperation {
    package typealias Reply = PreferenceInfo
    package static let method = "retain"
    /// The lengths that the node takes, in seconds (`Limits.leastRetentionMilliseconds`, `retentionMilliseconds`).
    package static let lengths = 3_600...315_360_000

    /// A peer or a group (see WHO in protocol/control.md).
    package var who: String
    /// The age at which they go; absent means that they stay.
    package var seconds: Int?

    package init(who: String, seconds: Int? = nil) {
        self.who = who
        self.seconds = seconds
    }
}
