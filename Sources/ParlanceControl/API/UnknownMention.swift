/// A word after `@` in a text that names no member of the group, and mentions nobody.
package struct UnknownMention: Codable, Equatable, Sendable {
    package var typed: String
    /// The name of the member who may be meant: one like it.
    package var meant: String?
    /// The name of somebody known who is not in the group.
    package var absent: String?

    package init(typed: String, meant: String? = nil, absent: String? = nil) {
        self.typed = typed
        self.meant = meant
        self.absent = absent
    }
}
