import FoundationEssentials

/// Chat answers that must be JSON of a known form.
///
/// What an answer means is never guessed: it is JSON of the form, alone or in one code fence, or it is invalid.
package enum JSONAnswer<Value: Decodable & Sendable> {
    /// Asks for a value. After an invalid answer it asks once more, with that answer and what is wrong with it.
    ///
    /// The question of the request should say what form is wanted, as not all servers obey a schema. The second request
    /// has less context if the budget of the server, in tokens, wants that. Throws `.invalidJSON`, and what `chat`
    /// throws.
    package static func ask(
        _ request: ChatRequest,
        budget: Int,
        chat: (ChatRequest) async throws -> ChatAnswer
    ) async throws -> Value {
        let answer = try await chat(request).text
        do {
            return try decode(answer)
        } catch ModelServerError.invalidJSON(_, let reason) {
            guard let repair = repair(request, answer: answer, reason: reason), let short = try? repair.fitting(budget)
            else { throw ModelServerError.invalidJSON(answer: answer, reason: reason) }
            return try decode(try await chat(short).text)
        }
    }

    /// The value of an answer. Throws `.invalidJSON`.
    package static func decode(_ answer: String) throws(ModelServerError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(unfenced(answer).utf8))
        } catch {
            throw .invalidJSON(answer: answer, reason: reason(error))
        }
    }

    /// The text without one code fence around all of it, if it has one.
    private static func unfenced(_ answer: String) -> Substring {
        let text = trimmed(answer[...])
        for opening in ["```json", "```"] {
            guard text.hasPrefix(opening), text.hasSuffix("```") else { continue }
            let inner = text.dropFirst(opening.count)
            guard inner.first?.isNewline == true else { continue }
            return trimmed(inner.dropLast(3))
        }
        return text
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    /// The same request, whose question says what was wrong. It stays one question, so that trimming keeps all of it.
    private static func repair(_ request: ChatRequest, answer: String, reason: String) -> ChatRequest? {
        guard let question = request.messages.lastIndex(where: { $0.role == .user }) else { return nil }
        var repaired = request
        repaired.messages[question].content += """


            Your last answer to this was not valid. The error: \(reason)
            Your last answer:
            \(answer)

            Answer again, with valid JSON only: no other text and no code fence.
            """
        return repaired
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.typeMismatch(let type, let context): "\(place(context.codingPath)) must be \(type)"
        case DecodingError.valueNotFound(let type, let context): "\(place(context.codingPath)) must be \(type)"
        case DecodingError.keyNotFound(let key, let context): "\(place(context.codingPath + [key])) is missing"
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            "\(place(context.codingPath)) has no valid value"
        default: "not JSON"
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        path.reduce("$") { place, key in key.intValue.map { "\(place)[\($0)]" } ?? "\(place).\(key.stringValue)" }
    }
}
