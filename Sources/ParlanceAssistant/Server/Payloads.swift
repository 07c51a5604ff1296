/// The body of `POST /v1/chat/completions`.
struct ChatBody: Encodable {
    let model: String
    let messages: [ChatMessage]
    let maximumTokens: Int
    let temperature: Double
    let stream: Bool
    let format: Format?

    struct Format: Encodable {
        var type = "json_schema"
        let wrapped: Wrapped

        struct Wrapped: Encodable {
            var name = "answer"
            var strict = true
            let schema: JSONValue
        }

        enum CodingKeys: String, CodingKey {
            case type
            case wrapped = "json_schema"
        }
    }

    enum CodingKeys: String, CodingKey {
        case model, messages, temperature, stream
        case maximumTokens = "max_tokens"
        case format = "response_format"
    }
}

/// The body of `POST /v1/embeddings`.
struct EmbeddingsBody: Encodable {
    let model: String
    let input: [String]
    let format = "float"

    enum CodingKeys: String, CodingKey {
        case model, input
        case format = "encoding_format"
    }
}

/// A response that can report an error, whatever its status.
protocol Payload: Decodable, Sendable {
    var error: ReportedError? { get }
}

/// A whole chat answer, or one delta of a stream.
struct ChatPayload: Payload {
    let error: ReportedError?
    let model: String?
    let choices: [Choice]?

    struct Choice: Decodable {
        let index: Int?
        let delta: Message?
        let message: Message?
        let finishReason: String?

        enum CodingKeys: String, CodingKey {
            case index, delta, message
            case finishReason = "finish_reason"
        }
    }

    struct Message: Decodable {
        let content: String?
        /// What a model writes before its answer. It is no part of the answer, but shows that one is coming.
        let reasoning: String?
        let reasoningContent: String?

        enum CodingKeys: String, CodingKey {
            case content, reasoning
            case reasoningContent = "reasoning_content"
        }

        var isEmpty: Bool { [content, reasoning, reasoningContent].allSatisfy { $0?.isEmpty ?? true } }
    }

    /// We ask for one choice; a server that sends more has this one first.
    var first: Choice? { choices?.first { ($0.index ?? 0) == 0 } }
}

struct EmbeddingsPayload: Payload {
    let error: ReportedError?
    let data: [Entry]?

    struct Entry: Decodable {
        let index: Int
        let embedding: [Float]
    }
}

struct ModelsPayload: Payload {
    let error: ReportedError?
    let data: [Entry]?

    struct Entry: Decodable { let id: String }
}

/// The error of a response: `{"message": "..."}`, as OpenAI has it, or only a text, as Ollama has it.
struct ReportedError: Decodable {
    let message: String?

    init(from decoder: any Decoder) throws {
        let text =
            (try? decoder.singleValueContainer().decode(String.self))
            ?? (try? decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .message))
        message = text.map(ServerText.bounded)
    }

    enum CodingKeys: CodingKey { case message }
}

/// The body of a response with a status that is no success.
struct FailurePayload: Decodable {
    let error: ReportedError?
    let message: String?
}
