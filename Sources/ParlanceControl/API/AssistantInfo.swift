package import ParlanceWords

/// How the assistant is.
package struct AssistantInfo: Codable, Equatable, Sendable {
    package var on: Bool
    /// What answers now; absent while it is off.
    package var model: ModelInfo?
    /// What answers questions in sentences; absent if there is no chat model.
    package var chat: ModelInfo?
    /// Why no embeddings are made at the moment; absent if they are, or if no model is there for them.
    package var problem: Phrase?
    /// How many messages it has read; absent while it is off.
    package var messages: Int?
    /// Whether it is still reading what was written before; absent if not.
    package var reading: Bool?
    /// Bytes of what it keeps on the disk; absent while it is off.
    package var bytes: UInt64?
    /// Model servers on computers of people whom the user has accepted, which they offer; absent if there are none, or if
    /// they were not wanted. None is used before the user names it.
    package var offers: [ModelOffer]?
    /// The model server that this node offers to others; absent if it offers none, or if that was not wanted.
    package var offered: ModelOffer?

    package init(on: Bool) {
        self.on = on
    }
}

/// A model server that others may use.
package struct ModelOffer: Codable, Equatable, Sendable {
    /// `http://HOST:PORT`, as `assistant.server` takes it.
    package var address: String
    /// Whose computer it is; absent for this one.
    package var person: Person?
    /// Why nobody can use it; absent if it answers, and for the offers of others, which are not asked.
    package var problem: Phrase?
    package var advice: Phrase?

    package init(address: String, person: Person? = nil, problem: Phrase? = nil, advice: Phrase? = nil) {
        (self.address, self.person, self.problem, self.advice) = (address, person, problem, advice)
    }
}

/// What gave an answer, and where.
package struct ModelInfo: Codable, Equatable, Sendable {
    /// `rules`, or the name of a model.
    package var name: String
    /// The address of the computer on which it ran; absent if that is this computer.
    package var address: String?

    package init(name: String, address: String? = nil) {
        self.name = name
        self.address = address
    }

    /// Words and rules, without a model.
    package static let rules = ModelInfo(name: "rules")
    /// The embedding model all-MiniLM-L6-v2.
    package static let miniLM = ModelInfo(name: "all-MiniLM-L6-v2")
}

/// A message from which the assistant has something.
package struct AssistantSource: Codable, Equatable, Sendable {
    /// The ID of the message.
    package var id: String
    package var conversation: String
    package var kind: ConversationKind
    /// The name of the conversation: the group's title or the peer's name.
    package var title: String
    package var sender: Person
    /// The time to show.
    package var time: ControlTime
    /// The text, or its beginning.
    package var excerpt: String
    /// How well it fits a question, from 0 to 1; absent where nothing was asked.
    package var score: Double?

    package init(
        id: String,
        conversation: String,
        kind: ConversationKind,
        title: String,
        sender: Person,
        time: ControlTime,
        excerpt: String
    ) {
        self.id = id
        self.conversation = conversation
        self.kind = kind
        self.title = title
        self.sender = sender
        self.time = time
        self.excerpt = excerpt
    }
}

/// How urgent something is.
package enum Urgency: String, Codable, JSONWord, Sendable {
    case high, normal, low
}

/// Something that somebody is to do.
package struct ActionInfo: Codable, Equatable, Sendable {
    /// The ID of its message, "/", and its number there, from 1.
    package var id: String
    /// What is to be done, in the words of the message.
    package var task: String
    /// The name of the member who is to do it; absent if the message names nobody.
    package var assignee: String?
    /// A day, or a day and a time, on the clock of this computer: `2026-03-06`, `2026-03-06T12:00`.
    package var deadline: String?
    /// Whether the deadline has passed and it is not done; absent if not.
    package var overdue: Bool?
    package var priority: Urgency
    package var done: Bool
    package var source: AssistantSource

    package init(id: String, task: String, priority: Urgency, done: Bool, source: AssistantSource) {
        self.id = id
        self.task = task
        self.priority = priority
        self.done = done
        self.source = source
    }
}

/// Something that was decided.
package struct DecisionInfo: Codable, Equatable, Sendable {
    /// The sentence that says it.
    package var text: String
    package var source: AssistantSource

    package init(text: String, source: AssistantSource) {
        self.text = text
        self.source = source
    }
}

/// A message that the user has not read, by how urgent it seems.
package struct PriorityInfo: Codable, Equatable, Sendable {
    package var priority: Urgency
    package var source: AssistantSource

    package init(priority: Urgency, source: AssistantSource) {
        self.priority = priority
        self.source = source
    }
}
