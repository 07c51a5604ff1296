import FoundationEssentials
import NIOCore
import NIOHTTP1

/// Reads a streamed chat answer. A server that cannot stream may send it as one JSON value.
struct ChatReader: ResponseReader {
    private let onDelta: @Sendable (String) -> Void
    private let maximumTokens: Int
    private let streamLimit: Int
    private var plain: JSONReader<ChatPayload>?
    private var parser = EventStreamParser()
    private var bytesRead = 0
    private var answer = ChatAnswer(text: "", model: nil, finishReason: nil)
    private var hasChoice = false
    private var isComplete = false

    /// The callback gets each piece of text in turn; no piece is empty.
    init(
        maximumTokens: Int,
        streamLimit: Int = ModelServerLimits.streamBytes,
        onDelta: @escaping @Sendable (String) -> Void
    ) {
        self.maximumTokens = maximumTokens
        self.streamLimit = streamLimit
        self.onDelta = onDelta
    }

    mutating func begin(_ headers: HTTPHeaders) {
        let type = headers.first(name: "content-type") ?? ""
        if type.lowercased().hasPrefix("application/json") { plain = JSONReader() }
    }

    mutating func read(_ bytes: ByteBufferView) throws -> ResponseProgress {
        if plain != nil { return try plain?.read(bytes) ?? .waiting }
        bytesRead += bytes.count
        guard bytesRead <= streamLimit else { throw ModelServerError.tooLarge(.stream) }
        return try take(try parser.append(bytes))
    }

    mutating func finish(isWhole: Bool) throws -> ChatAnswer {
        if plain != nil {
            guard let payload = try plain?.finish(isWhole: isWhole) else { return answer }
            answer = try Self.answer(of: payload, maximumTokens: maximumTokens)
            if !answer.text.isEmpty { onDelta(answer.text) }
            return answer
        }
        if !isComplete { _ = try take(parser.finish()) }
        guard isComplete else { throw ModelServerError.cut(text: answer.text) }
        guard hasChoice else { throw ModelServerError.malformed(.noChoices) }
        return answer
    }

    /// The answer of a response that was not streamed.
    static func answer(of payload: ChatPayload, maximumTokens: Int) throws -> ChatAnswer {
        guard let choice = payload.first, let message = choice.message else {
            throw ModelServerError.malformed(.noChoices)
        }
        let text = message.content ?? ""
        try check(text.utf8.count, maximumTokens: maximumTokens)
        return ChatAnswer(
            text: text,
            model: payload.model.map(ServerText.bounded),
            finishReason: .init(choice.finishReason)
        )
    }

    private static func check(_ bytes: Int, maximumTokens: Int) throws {
        guard bytes <= maximumTokens * ModelServerLimits.answerBytesPerToken else {
            throw ModelServerError.tooLarge(.answer)
        }
    }

    private mutating func take(_ events: [EventStreamParser.Event]) throws -> ResponseProgress {
        var progress = ResponseProgress.waiting
        for event in events {
            if try take(event) { progress = .alive }
            if isComplete { return .complete }
        }
        return progress
    }

    /// Whether the event shows that the answer goes on. A delta that has only a role does not.
    private mutating func take(_ event: EventStreamParser.Event) throws -> Bool {
        switch event {
        case .error(let bytes):
            let error = try? JSONDecoder().decode(ReportedError.self, from: Data(bytes))
            throw ModelServerError.reported(message: error?.message)
        case .data(let bytes) where bytes.elementsEqual("[DONE]".utf8):
            isComplete = true
            return true
        case .data(let bytes):
            guard let payload = try? JSONDecoder().decode(ChatPayload.self, from: Data(bytes)) else {
                throw ModelServerError.malformed(.event)
            }
            return try take(payload)
        }
    }

    private mutating func take(_ payload: ChatPayload) throws -> Bool {
        if let error = payload.error { throw ModelServerError.reported(message: error.message) }
        answer.model = answer.model ?? payload.model.map(ServerText.bounded)
        guard let choice = payload.first else { return false }
        hasChoice = true
        if let text = choice.delta?.content, !text.isEmpty {
            try Self.check(answer.text.utf8.count + text.utf8.count, maximumTokens: maximumTokens)
            answer.text += text
            onDelta(text)
        }
        // After the reason to finish comes no more text, so the answer does not have to wait for the end.
        answer.finishReason = .init(choice.finishReason)
        isComplete = answer.finishReason != nil
        return !(choice.delta?.isEmpty ?? true)
    }
}
