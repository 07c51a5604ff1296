/// Finds actions, decisions and urgency in messages by words alone, in English and German.
///
/// The text is cut into tokens once. All rules look at tokens, in time linear in the text.
package enum Rules {
    /// The actions that a message states.
    ///
    /// - Parameters:
    ///   - message: The message. Lines that start with ">" are not read.
    ///   - members: The names of the members of the conversation, the sender included.
    package static func actions(in message: ReadMessage, members: [String]) -> [FoundAction] {
        var reader = ActionReader(message, members: members)
        return reader.actions()
    }

    /// The first sentence of a message that states a decision, or nil.
    package static func decision(in message: ReadMessage) -> FoundDecision? {
        DecisionRules.decision(in: message.text)
    }

    /// How urgent an unread message is to a reader.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - reader: The exact name of the reader.
    ///   - members: The names of the members of the conversation, the reader included.
    package static func priority(of message: ReadMessage, to reader: String, members: [String]) -> Priority {
        PriorityRules.priority(of: message, to: reader, members: members)
    }
}
