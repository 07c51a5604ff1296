/// Something that somebody is to do, as a message states it.
package struct FoundAction: Equatable, Sendable, Codable {
    /// What is to be done, in the words of the message. At most 160 characters.
    package var task: String
    /// The exact name of the member who is to do it, or nil if the message names nobody.
    package var assignee: String?
    /// When it is due, or nil if the message names no day.
    package var deadline: Deadline?
    /// How urgent the message calls it.
    package var priority: Priority
    /// Whether the message states the task as done.
    package var isDone: Bool

    package init(
        task: String,
        assignee: String? = nil,
        deadline: Deadline? = nil,
        priority: Priority = .normal,
        isDone: Bool = false
    ) {
        self.task = task
        self.assignee = assignee
        self.deadline = deadline
        self.priority = priority
        self.isDone = isDone
    }
}
