package import NIOCore
import NIOPosix

/// Asks a model server of the same network: chat, embeddings, and the list of its models.
///
/// Every operation throws `ModelServerError`, or `CancellationError` when its task is cancelled, which closes the
/// connection at once. Each request has a connection of its own; redirects, proxies and cookies do not exist here.
package struct ModelClient: Sendable {
    /// Waits before a busy server is asked a second time.
    package typealias Wait = @Sendable (Duration) async throws -> Void

    package let server: ModelServer
    private let connection: ModelConnection
    private let wait: Wait

    package init(
        _ server: ModelServer,
        lookup: @escaping HostResolver.Lookup = HostResolver.system,
        wait: @escaping Wait = Pause.take,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) {
        self.server = server
        self.wait = wait
        connection = ModelConnection(server: server, lookup: lookup, group: group)
    }

    /// Asks the chat model and passes on each piece of the answer as it comes.
    ///
    /// It is streamed: a slow server says that it works long before it is done. The callback gets no empty piece, and all
    /// pieces together are the text of the result. It must be quick, as the next piece waits for it. Also throws
    /// `.overBudget` if the request is more than `server.tokenBudget`.
    package func chat(
        _ request: ChatRequest,
        onDelta: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> ChatAnswer {
        let call = try call(request)
        return try await answer(call, ChatReader(maximumTokens: request.maximumTokens, onDelta: onDelta))
    }

    /// The embedding of each text, in the order of the texts. All have the same number of finite numbers.
    ///
    /// - Parameter dimensions: how many numbers they must have; nil: as many as `ModelServerLimits.dimensions` allows.
    package func embeddings(_ texts: [String], dimensions: Int? = nil) async throws -> [[Float]] {
        guard let model = server.embeddingModel else { throw ModelServerError.noModel }
        var vectors: [[Float]] = []
        for start in stride(from: 0, to: texts.count, by: ModelServerLimits.embeddingBatch) {
            let batch = Array(texts[start...].prefix(ModelServerLimits.embeddingBatch))
            let call = try ModelCall(
                post: "/v1/embeddings",
                of: server.address,
                EmbeddingsBody(model: model, input: batch),
                accepting: "application/json"
            )
            let entries = try await answer(call, JSONReader<EmbeddingsPayload>()).data ?? []
            vectors += try Self.vectors(entries, batch.count, dimensions: dimensions ?? vectors.first?.count)
        }
        return vectors
    }

    private static func vectors(
        _ entries: [EmbeddingsPayload.Entry],
        _ count: Int,
        dimensions: Int?
    ) throws(ModelServerError) -> [[Float]] {
        guard entries.count == count else { throw .malformed(.count) }
        let sorted = entries.sorted { $0.index < $1.index }
        guard sorted.map(\.index).elementsEqual(0..<count) else { throw .malformed(.index) }
        let vectors = sorted.map(\.embedding)
        let expected = dimensions ?? vectors.first?.count ?? 0
        guard ModelServerLimits.dimensions.contains(expected), vectors.allSatisfy({ $0.count == expected }) else {
            throw .malformed(.dimensions)
        }
        guard vectors.allSatisfy({ $0.allSatisfy(\.isFinite) }) else { throw .malformed(.notFinite) }
        return vectors
    }

    /// The names of the models that the server has, in its order.
    package func models() async throws -> [String] {
        let call = ModelCall(get: "/v1/models", of: server.address)
        let payload = try await answer(call, JSONReader<ModelsPayload>())
        guard let models = payload.data else { throw ModelServerError.malformed(.body) }
        return models.map { ServerText.bounded($0.id) }
    }

    private func call(_ request: ChatRequest) throws -> ModelCall {
        guard let model = server.chatModel else { throw ModelServerError.noModel }
        let tokens = request.estimatedTokens
        guard tokens <= server.tokenBudget else {
            throw ModelServerError.overBudget(tokens: tokens, budget: server.tokenBudget)
        }
        let body = ChatBody(
            model: model,
            messages: request.messages,
            maximumTokens: request.maximumTokens,
            temperature: request.temperature,
            stream: true,
            format: request.schema.map { .init(wrapped: .init(schema: $0)) }
        )
        return try ModelCall(
            post: "/v1/chat/completions",
            of: server.address,
            body,
            accepting: "text/event-stream"
        )
    }

    /// Asks a busy server a second time if the wait that it asks for is short.
    private func answer<Reader: ResponseReader>(_ call: ModelCall, _ reader: Reader) async throws -> Reader.Answer {
        do {
            return try await connection.answer(call, reader)
        } catch ModelServerError.busy(let retryAfter) {
            let time = retryAfter ?? ModelServerLimits.retryWaitUnnamed
            guard time <= ModelServerLimits.retryWait else { throw ModelServerError.busy(retryAfter: retryAfter) }
            try await wait(time)
            return try await connection.answer(call, reader)
        }
    }
}
