package import ParlanceControl
import ParlanceEmbedding
import ParlanceWords
import Synchronization

// The models that the assistant uses, and the embeddings that they make (protocol/assistant.md, "Embeddings").
extension Assistant {
    /// What the user has named; nil: none.
    var server: AssistantStore.Server? { state.withLock { $0.server } }

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

    /// The user chooses a model server, or none. What was chosen before, and is still being looked at, is not taken.
    ///
    /// - Returns: what `take` gets.
    func beginChoice() throws(ControlError) -> Int {
        _ = try opened()
        return state.withLock { state in
            state.choices += 1
            return state.choices
        }
    }

    /// Takes what the user has named. A request for embeddings that is under way with the one before ends.
    func take(_ server: AssistantStore.Server?, _ choice: Int) throws(ControlError) {
        try switching.withLock { _ throws(ControlError) in
            let store = try opened()
            guard state.withLock({ $0.choices == choice }) else { throw .otherChoice }
            try kept { try store.setServer(server) }
            state.withLock { $0.server = server }
        }
        changeModel()
    }

    /// - Returns: nil if somebody has changed the address in the file: it was read before it was kept.
    func client(_ server: AssistantStore.Server) -> ModelClient? {
        (try? ModelAddress(parsing: server.address)).map { ModelClient(ModelServer(server, $0, timeLimits)) }
    }

    /// What makes embeddings; nil: nothing does.
    var maker: VectorMaker? {
        if let server, let model = server.embedding, let client = client(server) {
            return .server(client, model, ModelInfo(name: model.name, address: server.address))
        }
        return embedder.isInstalled ? .builtIn(embedder) : nil
    }

    /// What finds the messages for a question.
    var model: ModelInfo { maker?.info ?? .rules }

    /// Whether embeddings are being made, or will be at once.
    var isMakingVectors: Bool { state.withLock { $0.vectors.isActive } }

    /// Why no embeddings are made at the moment; nil if they are, or none are wanted.
    var vectorProblem: Phrase? { state.withLock { $0.vectors.problem } }

    /// Notes whether a question was embedded. If it was after a failure, what waits for embeddings waits no longer.
    ///
    /// - Parameter maker: what embedded it. If it is not used any more, nothing is noted.
    func noteQuestion(_ problem: Phrase?, of maker: VectorMaker) {
        guard problem != nil || vectorProblem != nil, self.maker?.identity == maker.identity else { return }
        state.withLock { state in
            guard state.store != nil else { return }
            if let problem { state.vectors.note(problem, at: .now) } else { state.vectors.change() }
        }
        makeVectors()
    }

    /// Whether it is on, and finds messages by their meaning.
    package var findsByMeaning: Bool { state.withLock { $0.store != nil } && maker != nil }

    /// Installs the files of the model, and has the embeddings made with it, unless a server makes them.
    package func install(
        _ operation: ModelInstallOperation,
        _ node: any NodeControl
    ) async throws(ControlError) -> AssistantInfo {
        _ = try opened()
        let folder = embedder.folder
        let result = await Aside.run { () -> Result<Void, ModelError> in
            do throws(ModelError) {
                return .success(try ModelBundle.install(from: operation.path, into: folder))
            } catch {
                return .failure(error)
            }
        }
        if case .failure(let error) = result { throw ControlError(error) }
        embedder.drop()
        changeModel()
        return try turn(nil, node)
    }

    private func changeModel() {
        // In this order: what fails from here on fails because it was cancelled.
        requests.cancelAll()
        state.withLock { if $0.store != nil { $0.vectors.change() } }
        makeVectors()
    }

    /// Drops from memory what has not been needed for a while, and tries again what failed a while ago.
    ///
    /// - Returns: whether it dropped something.
    package func rest(at now: ContinuousClock.Instant = .now) -> Bool {
        let droppedModel = embedder.rest(at: now)
        let droppedIndex = state.withLock { state in
            state.vectors.passed(now)
            guard state.index != nil, now - state.lastAsked >= .seconds(AssistantLimits.modelSeconds) else {
                return false
            }
            state.index = nil
            return true
        }
        makeVectors()
        return droppedModel || droppedIndex
    }

    /// The embeddings of a conversation, or of all, as far as this model made them.
    func vectors(
        in conversation: String?,
        _ store: AssistantStore,
        _ maker: VectorMaker
    ) throws(ControlError) -> VectorIndex {
        let (known, changes) = state.withLock { state in
            state.lastAsked = .now
            return (state.index, state.changes)
        }
        if conversation == nil, let known, known.model == maker.identity { return known }
        let index = try kept {
            try store.vectors(in: conversation, of: maker.identity, dimensions: maker.dimensions)
        }
        state.withLock { if conversation == nil, $0.changes == changes { $0.index = index } }
        return index
    }

    /// What is kept has changed.
    func changed() { state.withLock { ($0.index, $0.changes) = (nil, $0.changes + 1) } }

    /// Has embeddings made if they are due, unless that is being done.
    func makeVectors() {
        guard let ends = state.withLock({ $0.store != nil && $0.vectors.begin() ? $0.ends : nil }) else { return }
        let job: Job = { [self] in await makeVectors($0, ends) }
        if case .enqueued = submit.yield(job) { return }
        state.withLock { if $0.ends == ends { $0.vectors.refused() } }
    }

    /// - Parameter ends: how often it had been turned off when this began: after one more, this is over.
    private func makeVectors(_ node: any NodeControl, _ ends: Int) async {
        while true {
            guard let ticket = try? requests.begin(nil) else {
                return state.withLock { if $0.ends == ends { $0.vectors.refused() } }
            }
            defer { requests.end(ticket) }
            // Whatever changes from here on cancels the ticket.
            let store = state.withLock { state -> AssistantStore? in
                guard state.ends == ends, !Task.isCancelled, state.vectors.take() else { return nil }
                return state.store
            }
            guard let store else { return }
            let maker = maker
            do {
                if try store.keepVectors(of: maker?.identity ?? VectorMaker.builtInIdentity) { changed() }
                let succeeded = { @Sendable [self] in state.withLock { if $0.ends == ends { $0.vectors.succeeded() } } }
                guard let maker else {
                    succeeded()
                    continue
                }
                let pass = VectorPass(node: node, store: store, maker: maker, ticket: ticket) { [self] in
                    changed()
                    succeeded()
                }
                // Whether the model works now shows only if it is asked.
                if try await !pass.run(), vectorProblem != nil {
                    try await pass.probe()
                    succeeded()
                }
            } catch {
                guard !requests.end(ticket) else {
                    // The model is another now.
                    state.withLock { if $0.ends == ends { $0.vectors.want() } }
                    continue
                }
                let problem = (ControlError.embedding(maker, error) ?? fileFailure(error)).message
                return state.withLock { if $0.ends == ends { $0.vectors.failed(problem, at: .now) } }
            }
        }
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
