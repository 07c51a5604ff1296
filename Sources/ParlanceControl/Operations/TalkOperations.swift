package import ParlanceWords

// The conversation with the assistant: what was asked and answered (protocol/assistant.md, "The talk").

/// `ask.cancel`: ends a question that is under way.
package struct AskCancelOperation: ControlOperation {
    package typealias Reply = AskCancelReply
    package static let method = "ask.cancel"

    /// The label that the client gave to its question.
    package var turn: String

    package init(turn: String) {
        self.turn = turn
    }
}

package struct AskCancelReply: Codable, Equatable, Sendable {
    /// Whether a question with that label was under way.
    package var cancelled: Bool

    package init(cancelled: Bool) {
        self.cancelled = cancelled
    }
}

/// `talk`: what was asked about a conversation, or about all of them, and what was answered.
package struct TalkOperation: ControlOperation {
    package typealias Reply = TalkReply
    package static let method = "talk"

    /// A peer or a group (see WHO in protocol/control.md); absent means the questions about all conversations.
    package var who: String?

    package init(who: String? = nil) {
        self.who = who
    }
}

package struct TalkReply: Codable, Equatable, Sendable {
    /// The oldest first.
    package var turns: [TalkTurn]

    package init(turns: [TalkTurn]) {
        self.turns = turns
    }
}

/// A question, and what was answered.
package struct TalkTurn: Codable, Equatable, Sendable {
    /// Grows with each turn.
    package var id: Int
    /// When it was asked.
    package var time: ControlTime
    package var question: String
    /// The answer of a chat model, which names sources as [1] and so on; absent without one.
    package var answer: String?
    /// Why there is no answer, or only a part of one, although a chat model was asked.
    package var problem: Phrase?
    /// As `ask` gave them, with the texts that they have now.
    package var sources: [AssistantSource]
    /// What answered; without an answer, what found the sources.
    package var model: ModelInfo

    package init(id: Int, time: ControlTime, question: String, sources: [AssistantSource], model: ModelInfo) {
        (self.id, self.time, self.question) = (id, time, question)
        (self.sources, self.model) = (sources, model)
    }
}

/// `talk.clear`: removes what was asked and answered.
package struct TalkClearOperation: ControlOperation {
    package typealias Reply = TalkClearReply
    package static let method = "talk.clear"

    /// A peer or a group (see WHO in protocol/control.md); absent means the questions about all conversations.
    package var who: String?
    /// True: all questions, whatever they are about.
    package var all: Bool?

    package init(who: String? = nil, all: Bool? = nil) {
        self.who = who
        self.all = all
    }
}

package struct TalkClearReply: Codable, Equatable, Sendable {
    /// How many turns were removed.
    package var turns: Int

    package init(turns: Int) {
        self.turns = turns
    }
}
