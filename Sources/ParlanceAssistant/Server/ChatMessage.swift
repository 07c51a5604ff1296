/// One message of a conversation with a chat model.
package struct ChatMessage: Codable, Hashable, Sendable {
    package enum Role: String, Codable, Sendable { case system, user, assistant }

    package var role: Role
    package var content: String

    package init(_ role: Role, _ content: String) {
        self.role = role
        self.content = content
    }
}
