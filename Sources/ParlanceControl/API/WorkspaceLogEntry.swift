/// Something that somebody decided in a workspace, as people read it.
package struct WorkspaceLogEntry: Codable, Equatable, Sendable {
    package enum Action: String, Codable, JSONWord, Sendable {
        case create, appoint, dismiss, exclude, readmit, admit, rotate, policy, link
    }

    /// When it was signed, by the author's clock.
    package var time: ControlTime
    package var author: Person
    package var action: Action
    /// Those whom it is about.
    package var people: [Person]
    /// Those of them from whom it takes nothing, because they became admins before its author.
    package var spared: [Person]
    /// The title, or the name of a policy; the beginning of an invitation's ID if it is about one.
    package var name: String?
    /// The value of a policy; empty if it is withdrawn.
    package var value: String?
    /// Whether it is about an invitation: somebody was let in by it, or the policy is one.
    package var byInvitation: Bool
    /// Whether a node did it by itself.
    package var automatic: Bool
    /// Whether it has an effect: its author had the right to do it.
    package var counts: Bool

    package init(
        time: ControlTime,
        author: Person,
        action: Action,
        people: [Person] = [],
        spared: [Person] = [],
        name: String? = nil,
        value: String? = nil,
        byInvitation: Bool = false,
        automatic: Bool = false,
        counts: Bool
    ) {
        self.time = time
        self.author = author
        self.action = action
        self.people = people
        self.spared = spared
        self.name = name
        self.value = value
        self.byInvitation = byInvitation
        self.automatic = automatic
        self.counts = counts
    }
}
