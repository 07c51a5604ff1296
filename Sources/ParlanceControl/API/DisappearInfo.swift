/// How long messages stay for everybody in a conversation, as its members have said.
package struct DisappearInfo: Codable, Equatable, Sendable {
    /// The age in seconds at which they disappear from every computer; absent if they stay.
    package var after: Int?
    /// When this node learned that. None goes from it before it has known that for the whole time.
    package var since: ControlTime?
    /// What the user wants, in seconds, 0 for no end; absent if the user never said it. Direct conversations only.
    package var you: Int?
    /// What the other person wants, in the same way.
    package var others: Int?

    package init(after: Int? = nil, since: ControlTime? = nil, you: Int? = nil, others: Int? = nil) {
        self.after = after
        self.since = since
        self.you = you
        self.others = others
    }
}
