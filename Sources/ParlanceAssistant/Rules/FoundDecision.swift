/// Something that a message states as settled.
package struct FoundDecision: Equatable, Sendable, Codable {
    /// The sentence that states the decision, in the words of the message.
    package var text: String

    package init(text: String) {
        self.text = text
    }
}
