package import ParlanceControl
import ParlanceWords
import Synchronization

/// Reads along and answers, on this computer (protocol/assistant.md).
///
/// It reads through `NodeControl` as any client does, and writes no events. While it is off, it keeps nothing on the disk
/// or in memory, and no event is told to it. `run` does its work.
package final class Assistant: Sendable {
    private struct State {
        /// Nil: it is off.
        var store: AssistantStore?
        var token: SubscriptionToken?
        /// Messages that are new or have changed, and the IDs of those that are gone.
        var news: [News] = []
        /// Whether the conversations are to be read from their beginnings.
        var isWholeReadingDue = false
        var isReading = false
        /// What the user has named; nil: none.
        var server: AssistantStore.Server?
        var vectors = VectorSchedule()
        /// The embeddings of all messages, once somebody has asked; nil after a change.
        var index: VectorIndex?
        /// When somebody asked last.
        var lastAsked = ContinuousClock.now
        /// Counts what makes an index old, and each time that it was turned off.
        var changes = 0
        var ends = 0
    }

    enum News: Sendable {
        case message(MessageInfo)
        case gone([String])
    }

    typealias Job = @Sendable (any NodeControl) async -> Void

    private let path: String
    let timeLimits: ModelTimeLimits
    let embedder: Embedder
    let questions = Questions()
    /// The requests for embeddings of messages.
    private let requests = Questions()
    private let state = Mutex(State())
    /// Held while it is turned on or off: one after the other.
    private let switching = Mutex(())
    private let jobs: AsyncStream<Job>
    private let submit: AsyncStream<Job>.Continuation

    /// - Parameters:
    ///   - folder: the data folder.
    ///   - timeLimits: for what is asked of a model server.
    package init(folder: String, timeLimits: ModelTimeLimits = ModelTimeLimits()) {
        self.timeLimits = timeLimits
        path = folder + "/" + AssistantStore.fileName
        embedder = Embedder(folder: folder + "/model")
        (jobs, submit) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(AssistantLimits.jobs))
    }

    /// Works until the task is cancelled.
    package func run(_ node: any NodeControl) async {
        // Somebody turned it on in an earlier run.
        if AssistantStore.exists(at: path) { try? switching.withLock { _ throws(ControlError) in try begin(node) } }
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await job in jobs {
                if running == AssistantLimits.jobsAtOnce {
                    await group.next()
                    running -= 1
                }
                group.addTask { await job(node) }
                running += 1
            }
            group.cancelAll()
        }
        submit.finish()
        switching.withLock { _ in end(node) }
    }

    /// Has a job done; replies with an error if there are too many, or the node stops.
    package func perform<Reply: Sendable>(
        _ reply: @escaping @Sendable (Result<Reply, ControlError>) -> Void,
        _ work: @escaping @Sendable (Assistant, any NodeControl) async throws(ControlError) -> Reply
    ) {
        let job: Job = { [self] node in
            do throws(ControlError) {
                reply(.success(try await work(self, node)))
            } catch {
                reply(.failure(error))
            }
        }
        guard case .enqueued = submit.yield(job) else { return reply(.failure(.assistantBusy)) }
    }

    // On and off.

    /// Turns it on or off, or tells how it is.
    package func turn(_ on: Bool?, _ node: any NodeControl) throws(ControlError) -> AssistantInfo {
        try switching.withLock { _ throws(ControlError) in
            if on == false {
                end(node)
                AssistantStore.delete(at: path)
            }
            if on == true { try begin(node) }
        }
        guard let store = state.withLock({ $0.store }) else { return AssistantInfo(on: false) }
        var info = AssistantInfo(on: true)
        info.model = model
        info.chat = chat()?.info
        info.messages = try kept { try store.count() }
        info.problem = vectorProblem
        info.reading = state.withLock { $0.isReading || $0.isWholeReadingDue || $0.vectors.isActive } ? true : nil
        info.bytes = store.bytes
        return info
    }

    private func begin(_ node: any NodeControl) throws(ControlError) {
        guard state.withLock({ $0.store == nil }) else { return }
        let store = try kept { try AssistantStore(at: path) }
        let server = try kept { try store.server() }
        let token = node.subscribe(SubscriptionFilter(events: Self.events)) { [weak self] in self?.take($0) }
        state.withLock { ($0.store, $0.token, $0.server, $0.isWholeReadingDue) = (store, token, server, true) }
        continueReading()
    }

    private func end(_ node: any NodeControl) {
        let before = state.withLock { state in
            defer {
                state = State(changes: state.changes + 1, ends: state.ends + 1)
            }
            return state
        }
        questions.cancelAll()
        requests.cancelAll()
        before.token.map(node.unsubscribe)
        before.store?.close()
        embedder.drop()
    }

    /// The store, or why there is none.
    func opened() throws(ControlError) -> AssistantStore {
        guard let store = state.withLock({ $0.store }) else { throw .assistantOff }
        return store
    }

    /// Does something with the store; an error of it becomes one for people.
    func kept<Value>(_ body: () throws -> Value) throws(ControlError) -> Value {
        do {
            return try body()
        } catch {
            // It may have been turned off in between.
            throw AssistantStore.exists(at: path) ? .assistantFile(path) : .assistantOff
        }
    }

    // The models.

    /// What the user has named; nil: none.
    var server: AssistantStore.Server? { state.withLock { $0.server } }

    /// Takes what the user has named. What was under way with the one before ends.
    func take(_ server: AssistantStore.Server?) throws(ControlError) {
        try switching.withLock { _ throws(ControlError) in
            let store = try opened()
            try kept { try store.setServer(server) }
            state.withLock { $0.server = server }
        }
        changeModel()
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

    /// Why no embeddings are made at the moment; nil if they are, or none are wanted.
    var vectorProblem: Phrase? { state.withLock { $0.vectors.problem } }

    /// Notes whether a question was embedded. If it was after a failure, what waits for embeddings waits no longer.
    func noteQuestion(_ problem: Phrase?) {
        guard problem != nil || vectorProblem != nil else { return }
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
        state.withLock { if $0.store != nil { $0.vectors.change() } }
        requests.cancelAll()
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
    private func changed() { state.withLock { ($0.index, $0.changes) = (nil, $0.changes + 1) } }

    /// Has embeddings made if they are due, unless that is being done.
    private func makeVectors() {
        guard let ends = state.withLock({ $0.store != nil && $0.vectors.begin() ? $0.ends : nil }) else { return }
        let job: Job = { [self] in await makeVectors($0, ends) }
        if case .enqueued = submit.yield(job) { return }
        state.withLock { if $0.ends == ends { $0.vectors.refused() } }
    }

    /// - Parameter ends: how often it had been turned off when this began: after one more, this is over.
    private func makeVectors(_ node: any NodeControl, _ ends: Int) async {
        while let ticket = try? requests.begin(nil) {
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
                guard let maker else { continue }
                let pass = VectorPass(node: node, store: store, maker: maker, ticket: ticket) { [self] in changed() }
                try await pass.run()
                state.withLock { if $0.ends == ends { $0.vectors.succeeded() } }
            } catch is CancellationError where requests.end(ticket) {
                // The model is another now.
                state.withLock { if $0.ends == ends { $0.vectors.want() } }
            } catch {
                let problem = (maker.map { ControlError.embedding($0, error) } ?? .assistantFile(path)).message
                return state.withLock { if $0.ends == ends { $0.vectors.failed(problem, at: .now) } }
            }
        }
    }

    // Reading.

    private static let events: Set<ControlEventKind> = [
        MessageEvent.kind, ChangedEvent.kind, WithdrawnEvent.kind, RemovedEvent.kind,
    ]

    private func take(_ event: any ControlEvent) {
        let news: News
        switch event {
        case let event as any MessageCarryingEvent: news = .message(event.message)
        case let event as WithdrawnEvent: news = .gone([event.id])
        case let event as RemovedEvent: news = .gone(event.ids)
        default: return
        }
        state.withLock { state in
            guard state.store != nil else { return }
            if state.news.count < AssistantLimits.news {
                state.news.append(news)
            } else {
                (state.news, state.isWholeReadingDue) = ([], true)
            }
        }
        continueReading()
    }

    /// Has what is due read, unless that is being done.
    private func continueReading() {
        let ends = state.withLock { state -> Int? in
            guard !state.isReading, state.store != nil else { return nil }
            state.isReading = true
            return state.ends
        }
        guard let ends else { return }
        let job: Job = { [self] in await read($0, ends) }
        if case .enqueued = submit.yield(job) { return }
        state.withLock { if $0.ends == ends { $0.isReading = false } }
    }

    private enum Due {
        case everything
        case news([News])
    }

    /// - Parameter ends: how often it had been turned off when this began: after one more, this reading is over.
    private func read(_ node: any NodeControl, _ ends: Int) async {
        defer { makeVectors() }
        while let (store, due) = takeDue(ends) {
            // Only now, as what was made meanwhile has not seen these messages.
            defer { state.withLock { if $0.ends == ends { $0.vectors.want() } } }
            let reader = Reader(node, store) { [self] in changed() }
            do {
                switch due {
                case .everything: try await reader.readEverything()
                case .news(let news): try await reader.read(news)
                }
            } catch {
                // What comes next, or the next start, has everything looked at again.
                return state.withLock {
                    if $0.ends == ends { ($0.isReading, $0.isWholeReadingDue) = (false, true) }
                }
            }
        }
    }

    /// What is to be read next; nil if that is nothing. Then nobody is reading any more.
    private func takeDue(_ ends: Int) -> (AssistantStore, Due)? {
        state.withLock { state in
            guard state.ends == ends else { return nil }
            guard let store = state.store, !Task.isCancelled, state.isWholeReadingDue || !state.news.isEmpty else {
                state.isReading = false
                return nil
            }
            defer { (state.isWholeReadingDue, state.news) = (false, []) }
            return (store, state.isWholeReadingDue ? .everything : .news(state.news))
        }
    }
}
