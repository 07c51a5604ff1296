package import ParlanceWords

/// One setting of a node.
package struct SettingInfo: Codable, Equatable, Sendable {
    /// The key in the configuration file.
    package var key: String
    /// The present value as texts: one, any number for a list, none for a name that is not set.
    package var value: [String]
    /// Whether the value is a list.
    package var list: Bool
    /// The value after the next start, if that is another one.
    package var pending: [String]?
    /// The value that the file gives since it was changed, which the node has not read; absent otherwise.
    package var unread: [String]?
    package var origin: Origin
    /// Where the value was found, for people: a flag, a variable, a line of the file, or the data folder; absent for a
    /// default.
    package var place: Phrase?
    package var `default`: [String]
    /// One sentence for people.
    package var meaning: Phrase
    /// The only words that are allowed; absent if others are.
    package var allowed: [String]?
    package var effect: Effect

    package init(
        key: String,
        value: [String],
        list: Bool,
        pending: [String]? = nil,
        origin: Origin,
        place: Phrase? = nil,
        default standard: [String],
        meaning: Phrase,
        allowed: [String]? = nil,
        effect: Effect
    ) {
        self.key = key
        self.value = value
        self.list = list
        self.pending = pending
        self.origin = origin
        self.place = place
        self.default = standard
        self.meaning = meaning
        self.allowed = allowed
        self.effect = effect
    }

    /// The kind of source of a value. An earlier one wins.
    package enum Origin: String, Codable, JSONWord, Sendable {
        case flag, environment, file
        /// The data folder: the name that `parlance name` stored, or the login name.
        case store
        case `default`
    }

    /// When a new value takes effect.
    package enum Effect: String, Codable, JSONWord, Sendable {
        /// At once, when the running node reads the file again; `auto-accept` for new links.
        case reload
        /// When the daemon starts the next time.
        case restart
    }
}
