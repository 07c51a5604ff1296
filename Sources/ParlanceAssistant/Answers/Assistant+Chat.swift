package import ParlanceControl
import ParlanceWords

// A model server that the user has named, and its chat model (protocol/assistant.md, "A model server").
extension Assistant {
    /// Takes a server, if it answers; or none.
    package func use(_ operation: ModelServerOperation, _ node: any NodeControl) async throws(ControlError)
        -> AssistantInfo
    {
        let choice = try beginChoice()
        guard let text = operation.address else {
            try take(nil, choice)
            return try turn(nil, node)
        }
        let address: ModelAddress
        do throws(ModelAddressError) {
            address = try ModelAddress(parsing: text)
        } catch {
            throw .serverAddress(text, error)
        }
        let outside = operation.outside == true
        let models: [String]
        do {
            let settings = ModelServer(address: address, allowsPublic: outside, timeLimits: timeLimits)
            models = try await ModelClient(settings).models()
        } catch {
            throw .server(address, error)
        }
        guard !models.isEmpty else { throw .server(address, ModelServerError.noModel) }
        let chat = try operation.model.map { name throws(ControlError) in try Self.listed(name, models, address) }
        let embedding = try operation.embedding.map { name throws(ControlError) in
            try Self.listed(name, models, address)
        }
        // Whoever names an embedding model alone has not asked for a chat model.
        var server = AssistantStore.Server(address: text, model: chat, allowsPublic: outside)
        if let embedding {
            server.embedding = try await self.embedding(embedding, ModelServer(server, address, timeLimits))
        } else {
            server.model = chat ?? models.first
        }
        try take(server, choice)
        return try turn(nil, node)
    }

    /// The name of a model as the server lists it. Ollama adds a tag to each, and means `latest` by none.
    private static func listed(
        _ name: String,
        _ models: [String],
        _ address: ModelAddress
    ) throws(ControlError) -> String {
        guard let found = [name, name + ":latest"].first(where: models.contains) else {
            throw .serverModel(name, models, address)
        }
        return found
    }

    /// How many numbers the embeddings of a model have, by that of a short text.
    private func embedding(
        _ name: String,
        _ settings: ModelServer
    ) async throws(ControlError) -> AssistantStore.Embedding {
        var settings = settings
        settings.embeddingModel = name
        do {
            let vector = try await ModelClient(settings).embeddings([VectorMaker.sample]).first
            return AssistantStore.Embedding(name: name, dimensions: vector?.count ?? 0)
        } catch {
            throw .server(settings.address, error, isEmbedding: true)
        }
    }

    /// Has the chat model answer from the sources, if there is one. If it does not, the sources stand for themselves.
    ///
    /// - Parameter earlier: turns that the question may refer to.
    /// - Returns: nil if the question was cancelled.
    func answer(
        _ question: String,
        _ found: AskReply,
        after earlier: [AssistantStore.Turn],
        _ store: AssistantStore,
        _ ticket: Questions.Ticket,
        _ teller: AnswerTeller?
    ) async -> AskReply? {
        guard let chat = chat(), !found.sources.isEmpty else { return found }
        var reply = found
        let request = AnswerPrompt.request(
            question,
            found.sources.map(AnswerPrompt.Source.init),
            after: earlier.compactMap { turn in turn.answer.map { AnswerPrompt.Earlier(turn.question, $0) } }
        )
        do {
            let asked = try await ticket.unlessCancelled {
                try await chat.client.chat(request) { teller?.add($0) }
            }
            guard let answer = asked else { return nil }
            let text = AnswerPrompt.cited(answer.text, sources: found.sources.count)
            if text.allSatisfy(\.isWhitespace) {
                reply.problem = Phrase("The model gave no answer.")
            } else {
                (reply.answer, reply.model) = (text, chat.info)
                if answer.finishReason == .length {
                    reply.problem = Phrase("The answer was too long, so this is its beginning.")
                }
            }
        } catch {
            reply.problem = ControlError.server(chat.client.server.address, error).message
        }
        return reply
    }

    /// Has the chat model read a conversation, if there is one. If it does not, or not in the form that it was asked for,
    /// what the rules found stands.
    func summarize(_ found: SummaryReply, _ messages: [AssistantSource], _ store: AssistantStore) async -> SummaryReply
    {
        guard let chat = chat(), !messages.isEmpty else { return found }
        var reply = found
        let members = Set(messages.map(\.sender.displayName)).sorted()
        let (request, left) = SummaryPrompt.request(messages.map(AnswerPrompt.Source.init), members: members)
        let read = Array(messages[left...])
        do {
            let answer: SummaryPrompt.Answer = try await JSONAnswer.ask(request, budget: ModelServerLimits.tokenBudget)
            {
                try await chat.client.chat($0)
            }
            let source = { (number: Int) in read.indices.contains(number - 1) ? read[number - 1] : nil }
            // The messages that the summary names stand for it, in the order in which it names them.
            var named: [Int] = []
            reply.answer = AnswerPrompt.cited(answer.summary) { number in
                guard source(number) != nil else { return nil }
                if !named.contains(number) { named.append(number) }
                return named.firstIndex(of: number).map { $0 + 1 }
            }
            (reply.points, reply.messages) = (named.compactMap(source), read.count)
            reply.decisions = answer.decisions.compactMap { decision in
                source(decision.message).map { DecisionInfo(text: Excerpt.of(decision.text), source: $0) }
            }
            reply.actions = answer.actions.filter { $0.done != true }.enumerated().compactMap { number, action in
                source(action.message).map { ActionInfo(action, number + 1, $0, members: members).timed(by: .system()) }
            }
            reply.model = chat.info
        } catch {
            reply.problem = ControlError.server(chat.client.server.address, error).message
        }
        return reply
    }

    /// The chat model that the user has named; nil: none.
    func chat() -> (client: ModelClient, info: ModelInfo)? {
        guard let server, let model = server.model, let client = client(server) else { return nil }
        return (client, ModelInfo(name: model, address: server.address))
    }

    func client(_ server: AssistantStore.Server) -> ModelClient? {
        (try? ModelAddress(parsing: server.address)).map { ModelClient(ModelServer(server, $0, timeLimits)) }
    }
}

extension ModelServer {
    fileprivate init(_ server: AssistantStore.Server, _ address: ModelAddress, _ timeLimits: ModelTimeLimits) {
        self.init(
            address: address,
            chatModel: server.model,
            embeddingModel: server.embedding?.name,
            allowsPublic: server.allowsPublic,
            timeLimits: timeLimits
        )
    }
}

extension Phrase {
    static let messagesGone = Phrase("A message has gone or changed in the meantime, so the answer is left out.")
}

extension AskReply {
    /// The messages alone, since the user wants no more.
    var cancelled: AskReply {
        var reply = self
        reply.problem = Phrase("You cancelled the answer.")
        return reply
    }
}

extension AnswerPrompt.Source {
    fileprivate init(_ source: AssistantSource) {
        self.init(
            sender: NameText.plain(source.sender.displayName),
            time: source.time.description,
            text: source.excerpt
        )
    }
}

extension ActionInfo {
    /// An action that a chat model has named. Whoever is no member, and what is no day, is left out.
    fileprivate init(
        _ action: SummaryPrompt.Answer.Action,
        _ number: Int,
        _ source: AssistantSource,
        members: [String]
    ) {
        self.init(
            id: "\(source.id)/\(number)",
            task: Excerpt.of(action.task),
            priority: action.priority.map(Urgency.init) ?? .normal,
            done: false,
            source: source
        )
        assignee = action.assignee.flatMap { members.contains($0) ? $0 : nil }
        deadline = action.deadline.flatMap { Deadline(text: $0)?.text }
    }
}

extension ControlError {
    fileprivate static func serverAddress(_ text: String, _ error: ModelAddressError) -> ControlError {
        let message: Phrase =
            switch error {
            case .encryptionNotSupported:
                Phrase("\"\(text)\" is an address for HTTPS, which the assistant does not speak.")
            case .hasUserInfo, .hasQuery: Phrase("\"\(text)\" has more in it than a host and a port.")
            default: Phrase("\"\(text)\" is not the address of a model server.")
            }
        return ControlError(.invalidValue, message, advice: Phrase("Write it with its port: http://192.0.2.7:11434"))
    }

    fileprivate static func serverModel(_ model: String, _ models: [String], _ address: ModelAddress) -> ControlError {
        ControlError(
            .invalidValue,
            Phrase("The server at \(address.description) has no model \"\(model)\"."),
            advice: Phrase("It has: \(models.prefix(AssistantLimits.namedModels).joined(separator: ", "))")
        )
    }

    /// Why a server did not do what it was asked for.
    static func server(_ address: ModelAddress, _ error: any Error, isEmbedding: Bool = false) -> ControlError {
        let name = address.description
        let message: Phrase =
            switch error as? ModelServerError {
            case .publicAddress:
                Phrase("\(name) is outside of this computer and your network, so it was not asked.")
            case .unresolvable: Phrase("Nobody knows the address of \(name).")
            case .unreachable: Phrase("No server answers at \(name).")
            case .timedOut: Phrase("The server at \(name) took too long.")
            case .redirected: Phrase("The server at \(name) points to another address, which is not asked.")
            case .busy: Phrase("The server at \(name) has too much to do.")
            case .cut: Phrase("The answer of the server at \(name) was cut.")
            case .invalidJSON: Phrase("The model at \(name) did not answer in the form that it was asked for.")
            case .status(let code, let text):
                text.map { Phrase("The server at \(name) gave the error \(code): \($0)") }
                    ?? Phrase("The server at \(name) gave the error \(code).")
            case .reported(let text?): Phrase("The server at \(name) gave an error: \(text)")
            case .overBudget: Phrase("The question and its messages are too long for the model at \(name).")
            default:
                isEmbedding
                    ? Phrase("The server at \(name) gave an error, or no embeddings.")
                    : Phrase("The server at \(name) gave an error, or no answer of a chat model.")
            }
        if case ModelServerError.publicAddress = error {
            return ControlError(
                .invalidValue,
                message,
                advice: Phrase("Texts of others would leave your network. To ask it all the same, add --outside.")
            )
        }
        return ControlError(
            .notYet,
            message,
            advice: Phrase("Check that the server runs. To use none: parlance assistant server --none")
        )
    }
}
