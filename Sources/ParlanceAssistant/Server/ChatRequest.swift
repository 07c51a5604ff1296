import FoundationEssentials

/// What a chat model is asked.
///
/// The system prompts are all messages with that role; the question is the last message of the user. All other messages
/// are context, the oldest first.
package struct ChatRequest: Hashable, Sendable {
    package var messages: [ChatMessage]
    /// The longest answer in tokens, at most `ModelServerLimits.answerTokens`.
    package let maximumTokens: Int
    /// From 0 (the same answer each time) to 2.
    package let temperature: Double
    /// The JSON schema that the answer must have. Not all servers obey it: see `JSONAnswer`.
    package var schema: JSONValue?

    package init(
        messages: [ChatMessage],
        maximumTokens: Int = 1024,
        temperature: Double = 0,
        schema: JSONValue? = nil
    ) {
        self.messages = messages
        self.maximumTokens = min(max(maximumTokens, 1), ModelServerLimits.answerTokens)
        self.temperature = temperature.isFinite ? min(max(temperature, 0), 2) : 0
        self.schema = schema
    }

    /// At least the tokens of a text, for common models: English has 4 or 5 bytes a token, other scripts about 3.
    package static func estimatedTokens(of text: String) -> Int { (text.utf8.count + 2) / 3 }

    /// The tokens of all messages, the schema and the longest answer.
    package var estimatedTokens: Int {
        let schemaBytes = schema.flatMap { try? JSONEncoder().encode($0).count } ?? 0
        return messages.reduce(maximumTokens + (schemaBytes + 2) / 3) { $0 + Self.cost($1) }
    }

    package func fits(_ budget: Int) -> Bool { estimatedTokens <= budget }

    /// The request without as much of its oldest context as is too much for the budget, in tokens.
    ///
    /// If some context went, what is left does not begin with an answer of the model, as some models refuse that.
    /// Throws `.overBudget` if system prompts and question alone are too much.
    package func fitting(_ budget: Int) throws(ModelServerError) -> ChatRequest {
        var total = estimatedTokens
        if total <= budget { return self }
        let question = messages.lastIndex { $0.role == .user }
        var kept: [ChatMessage] = []
        var isTrimming = true
        for (index, message) in messages.enumerated() {
            if message.role == .system || index == question {
                kept.append(message)
                if index == question { isTrimming = false }
            } else if total > budget || (isTrimming && message.role == .assistant) {
                total -= Self.cost(message)
            } else {
                kept.append(message)
                isTrimming = false
            }
        }
        guard total <= budget else { throw .overBudget(tokens: total, budget: budget) }
        var request = self
        request.messages = kept
        return request
    }

    /// Each message has a few tokens around it that say its role.
    private static func cost(_ message: ChatMessage) -> Int { estimatedTokens(of: message.content) + 6 }
}
