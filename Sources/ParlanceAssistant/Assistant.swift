package import ParlanceControl
import ParlanceWords
import Synchronization

/// Reads along and answers, on this computer (protocol/assistant.md).
///
/// It reads through `NodeControl` as any client does, and writes no events. While it is off, it keeps nothing on the disk
/// or in memory, and no event is told to it. Its work is done by `run`, one job after the other.
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
        /// The embeddings of all messages, once somebody has asked; nil after a change.
        var index: VectorIndex?
    }

    enum News: Sendable {
        case message(MessageInfo)
        case gone([String])
    }

    typealias Job = @Sendable (any NodeControl) async -> Void

    private let path: String
    let embedder: Embedder
    private let state: Mutex<State>
    private let jobs: AsyncStream<Job>
    private let submit: AsyncStream<Job>.Continuation

    /// - Parameter folder: the data folder.
    package init(folder: String) {
        path = folder + "/" + AssistantStore.fileName
        embedder = Embedder(folder: folder + "/model")
        state = Mutex(State())
        (jobs, submit) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(AssistantLimits.jobs))
    }

    /// Works until the task is cancelled.
    package func run(_ node: any NodeControl) async {
        // Somebody turned it on in an earlier run.
        if AssistantStore.exists(at: path) { try? begin(node) }
        await withDiscardingTaskGroup { group in
            for await job in jobs { group.addTask { await job(node) } }
            group.cancelAll()
        }
        submit.finish()
        end(node)
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
        if on == false {
            end(node)
            AssistantStore.delete(at: path)
        }
        if on == true { try begin(node) }
        guard let store = state.withLock({ $0.store }) else { return AssistantInfo(on: false) }
        var info = AssistantInfo(on: true)
        info.model = model
        info.chat = try kept { try store.server() }.map { ModelInfo(name: $0.model, address: $0.address) }
        info.messages = try kept { try store.count() }
        info.reading = state.withLock { $0.isReading || $0.isWholeReadingDue } ? true : nil
        info.bytes = store.bytes
        return info
    }

    /// What answers questions.
    var model: ModelInfo { embedder.isInstalled ? .miniLM : .rules }

    /// Installs the files of the model, and has all messages read anew with it.
    package func install(_ operation: ModelInstallOperation, _ node: any NodeControl) throws(ControlError)
        -> AssistantInfo
    {
        _ = try opened()
        do throws(ModelError) {
            try ModelBundle.install(from: operation.path, into: embedder.folder)
        } catch {
            throw ControlError(error)
        }
        embedder.drop()
        state.withLock { $0.isWholeReadingDue = true }
        continueReading()
        return try turn(nil, node)
    }

    /// Drops from memory what has not been needed for a while.
    package func rest() {
        if !embedder.rest() { state.withLock { $0.index = nil } }
    }

    /// The embeddings of a conversation, or of all.
    func vectors(in conversation: String?, _ store: AssistantStore) throws(ControlError) -> VectorIndex {
        if conversation == nil, let index = state.withLock({ $0.index }) { return index }
        let index = try kept { try store.vectors(in: conversation) }
        if conversation == nil { state.withLock { $0.index = index } }
        return index
    }

    private func begin(_ node: any NodeControl) throws(ControlError) {
        guard state.withLock({ $0.store == nil }) else { return }
        let store = try kept { try AssistantStore(at: path) }
        state.withLock { ($0.store, $0.isWholeReadingDue) = (store, true) }
        let token = node.subscribe(SubscriptionFilter(events: Self.events)) { [weak self] in self?.take($0) }
        state.withLock { $0.token = token }
        continueReading()
    }

    private func end(_ node: any NodeControl) {
        let before = state.withLock { state in
            defer { state = State() }
            return state
        }
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
            throw .assistantFile(path)
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
        let isDue = state.withLock { state in
            guard !state.isReading, state.store != nil else { return false }
            state.isReading = true
            return true
        }
        guard isDue else { return }
        let job: Job = { [self] in await read($0) }
        if case .enqueued = submit.yield(job) { return }
        state.withLock { $0.isReading = false }
    }

    private enum Due {
        case everything
        case news([News])
    }

    private func read(_ node: any NodeControl) async {
        while let (store, due) = takeDue() {
            let reader = Reader(node, store, embedder.isInstalled ? embedder : nil)
            do {
                switch due {
                case .everything: try await reader.readEverything()
                case .news(let news): try await reader.read(news)
                }
                state.withLock { $0.index = nil }
            } catch {
                // What comes next, or the next start, has everything looked at again.
                return state.withLock { ($0.isReading, $0.isWholeReadingDue) = (false, true) }
            }
        }
    }

    /// What is to be read next; nil if that is nothing. Then nobody is reading any more.
    private func takeDue() -> (AssistantStore, Due)? {
        state.withLock { state in
            guard let store = state.store, !Task.isCancelled, state.isWholeReadingDue || !state.news.isEmpty else {
                state.isReading = false
                return nil
            }
            defer { (state.isWholeReadingDue, state.news) = (false, []) }
            return (store, state.isWholeReadingDue ? .everything : .news(state.news))
        }
    }
}
