/// A request about one message.
package struct MessageRequest: Codable, Equatable, Sendable {
    /// The message's ID, or an unambiguous prefix of 8 or more characters.
    package var id: String

    package init(id: String) {
        self.id = id
    }
}

/// Answers a message, or gives it another text.
package struct MessageTextRequest: Codable, Equatable, Sendable {
    package var id: String
    /// At most 64 KiB of UTF-8, not blank.
    package var text: String

    package init(id: String, text: String) {
        self.id = id
        self.text = text
    }
}

/// Reacts to a message, or takes that back.
package struct ReactRequest: Codable, Equatable, Sendable {
    package var id: String
    /// At most 32 bytes of UTF-8.
    package var emoji: String
    /// Takes one's own reaction of this kind back.
    package var remove: Bool?

    package init(id: String, emoji: String, remove: Bool? = nil) {
        self.id = id
        self.emoji = emoji
        self.remove = remove
    }
}
