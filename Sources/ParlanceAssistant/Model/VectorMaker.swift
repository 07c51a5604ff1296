import ParlanceControl
import ParlanceEmbedding

/// What makes embeddings: the model of this computer, or that of a server (protocol/assistant.md, "Embeddings").
enum VectorMaker: Sendable {
    case builtIn(Embedder)
    case server(ModelClient, AssistantStore.Embedding, ModelInfo)

    /// A text that any model can embed.
    static let sample = "The ferry leaves at nine."
    /// What made the embeddings if nothing else is known.
    static let builtInIdentity = ModelInfo.miniLM.name

    /// The model, and where it is.
    var info: ModelInfo {
        switch self {
        case .builtIn: .miniLM
        case .server(_, _, let info): info
        }
    }

    var dimensions: Int {
        switch self {
        case .builtIn: MiniLM.dimensions
        case .server(_, let model, _): model.dimensions
        }
    }

    /// Tells the embeddings of one model from those of another.
    var identity: String {
        switch self {
        case .builtIn: Self.builtInIdentity
        case .server(let client, let model, _): "\(model.name)\n\(client.server.address)\n\(model.dimensions)"
        }
    }

    /// The embeddings of the beginnings of texts, at most `ModelServerLimits.embeddingBatch`.
    func embed(_ texts: [String]) async throws -> [Int8Vector] {
        switch self {
        case .builtIn(let embedder):
            return try await Aside.run { Result { try texts.map(embedder.embed) } }.get()
        case .server(let client, let model, _):
            let beginnings = texts.map(Self.beginning)
            let vectors = try await client.embeddings(beginnings, dimensions: model.dimensions)
            return vectors.map(Int8Vector.init(anyLength:))
        }
    }

    /// The embedding of a question, for which a person waits.
    ///
    /// - Parameter isAside: a person does not wait for it alone.
    func embed(question: String, isAside: Bool) async throws -> Int8Vector {
        guard case .server(let client, let model, let info) = self else { return try await embed([question])[0] }
        var server = client.server
        server.timeLimits = server.timeLimits.ofQuestion(isAside: isAside)
        return try await Self.server(ModelClient(server), model, info).embed([question])[0]
    }

    /// As much of a text as a server gets. By scalars: a character may be made of thousands of them.
    static func beginning(_ text: String) -> String {
        String(text.unicodeScalars.prefix(ModelServerOperation.sentCharacters))
    }
}

extension ControlError {
    /// Why a model made no embeddings; nil if it is not the model's fault.
    static func embedding(_ maker: VectorMaker?, _ error: any Error) -> ControlError? {
        switch error {
        case let error as ControlError: return error
        case let error as ModelError: return ControlError(error)
        case is CancellationError: return .assistantBusy
        default:
            guard error is ModelServerError, case .server(let client, _, _) = maker else { return nil }
            return .server(client.server.address, error, isEmbedding: true)
        }
    }
}
