/// A word after `@` in a text that names no member of the group, though a member has a name like it.
package struct UnknownMention: Codable, Equatable, Sendable {
    package var typed: String
    /// The name of the member who may be meant.
    package var meant: String

    package init(typed: String, meant: String) {
        self.typed = typed
        self.meant = meant
    }
}
