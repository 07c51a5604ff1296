package import ParlanceWords

/// `id`: the identity of this node.
package struct IDOperation: BareOperation {
    package typealias Reply = IdentityInfo
    package static let method = "id"

    package init() {}
}

/// The identity of this node.
package struct IdentityInfo: Codable, Equatable, Sendable {
    /// The whole peer ID: 56 characters, no spaces.
    package var id: String
    package var name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// `passphrase`: encrypts the identity on disk under a passphrase, changes the passphrase, or removes it.
package struct PassphraseOperation: ControlOperation {
    package typealias Reply = DoneReply
    package static let method = "passphrase"

    /// The current passphrase; absent if there is none.
    package var current: String?
    /// The new passphrase: 8 to 1,024 bytes of UTF-8 without control characters; absent to keep the identity in the
    /// clear.
    package var new: String?

    package init(current: String? = nil, new: String? = nil) {
        self.current = current
        self.new = new
    }
}

/// `name`: asks for the name of this node, or changes it.
package struct NameOperation: ControlOperation {
    package typealias Reply = NameReply
    package static let method = "name"

    /// The new name, at most 64 bytes of UTF-8 without control characters; absent to ask only.
    package var name: String?

    package init(name: String? = nil) {
        self.name = name
    }
}

/// The current name.
package struct NameReply: Codable, Equatable, Sendable {
    package var name: String
    /// The name that the configuration sets, if it is another one: it holds from the next start or reload on.
    package var configured: ConfiguredName?
    /// The people known or in sight with a name that looks the same; absent if there are none, or if the name was only
    /// asked for.
    package var namesakes: [Person]?

    package init(name: String, configured: ConfiguredName? = nil, namesakes: [Person]? = nil) {
        self.name = name
        self.configured = configured
        self.namesakes = namesakes
    }
}

/// A name that the configuration of a node sets.
package struct ConfiguredName: Codable, Equatable, Sendable {
    package var name: String
    /// Where it is set, for people: a flag, a variable, or a line of the file.
    package var place: Phrase

    package init(name: String, place: Phrase) {
        self.name = name
        self.place = place
    }
}

/// `presence`: asks for the presence of this node, or sets it.
package struct PresenceOperation: ControlOperation {
    package typealias Reply = OwnPresence
    package static let method = "presence"

    /// `online`, `away` or `busy`; absent to keep it. `offline` cannot be set: stop the daemon for that.
    package var state: PresenceState?
    /// The status text, at most 140 bytes of UTF-8 without control characters; empty clears it, absent keeps it.
    package var text: String?

    package init(state: PresenceState? = nil, text: String? = nil) {
        self.state = state
        self.text = text
    }
}

/// The current presence.
package struct OwnPresence: Codable, Equatable, Sendable {
    /// What the user has set.
    package var state: PresenceState
    package var text: String?
    /// Why others see the user as away, though `state` is `online`.
    package var away: AwayInfo?

    package init(state: PresenceState, text: String? = nil, away: AwayInfo? = nil) {
        self.state = state
        self.text = text
        self.away = away
    }
}

/// Since when nobody has seen the user active.
package struct AwayInfo: Codable, Equatable, Sendable {
    package enum Reason: String, Codable, JSONWord, Sendable {
        /// There was no input for 10 minutes.
        case idle
        /// The screen is locked.
        case locked
    }

    package var since: ControlTime
    package var reason: Reason

    package init(since: ControlTime, reason: Reason) {
        self.since = since
        self.reason = reason
    }
}

/// `shows`: which conversation a chat screen or page shows. It holds until the next call of the connection, or its end.
///
/// The connection itself performs it: see `NodeControl.registerClient`.
package struct ShowsOperation: ControlOperation {
    package typealias Reply = DoneReply
    package static let method = "shows"

    /// The ID of the conversation; absent if none is shown.
    package var conversation: String?

    package init(conversation: String? = nil) {
        self.conversation = conversation
    }
}

/// `idle`: what a chat screen or page sees of its user. It holds until the next call of the connection, or its end.
///
/// The connection itself performs it: see `NodeControl.registerClient`.
package struct IdleOperation: ControlOperation {
    package typealias Reply = DoneReply
    package static let method = "idle"

    /// Whether the user has stopped to type and to move the pointer.
    package var idle: Bool
    /// When the last input came; absent if it came just now. It counts only if `idle` is true.
    package var since: ControlTime?

    package init(idle: Bool, since: ControlTime? = nil) {
        self.idle = idle
        self.since = since
    }
}
