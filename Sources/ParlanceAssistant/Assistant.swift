package import ParlanceControl
import ParlanceWords
import Synchronization

/// Reads along and answers, on this computer (protocol/assistant.md).
///
/// It reads through `NodeControl` as any client does, and writes no events. While it is off, it keeps nothing on the disk
/// or in memory, and no event is told to it. `run` does its work.
package final class Assistant: Sendable {
    struct State {
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
        /// Counts what the user has said of a model server: the last word counts, whichever server answers first.
        var choices = 0
    }

    enum News: Sendable {
        case message(MessageInfo)
        case gone([String])
    }

    typealias Job = @Sendable (any NodeControl) async -> Void

    let path: String
    let timeLimits: ModelTimeLimits
    let embedder: Embedder
    let questions = Questions()
    /// The requests for embeddings of messages.
    let requests = Questions()
    let state = Mutex(State())
    /// Held while it is turned on or off: one after the other.
    let switching = Mutex(())
    private let jobs: AsyncStream<Job>
    let submit: AsyncStream<Job>.Continuation

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
        _ work: @escaping @Sendable (Assistant, any NodeControl) async throws(ControlError) -> Reply
    ) async throws(ControlError) -> Reply {
        let result: Result<Reply, ControlError> = await withCheckedContinuation { continuation in
            let job: Job = { [self] node in
                do throws(ControlError) {
                    continuation.resume(returning: .success(try await work(self, node)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            guard case .enqueued = submit.yield(job) else {
                return continuation.resume(returning: .failure(.assistantBusy))
            }
        }
        return try result.get()
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
        info.reading = isReadingTexts || isMakingVectors ? true : nil
        info.bytes = store.bytes
        return info
    }

    /// Whether some of what was written before has not been read.
    var isReadingTexts: Bool { state.withLock { $0.isReading || $0.isWholeReadingDue } }

    private func begin(_ node: any NodeControl) throws(ControlError) {
        guard state.withLock({ $0.store == nil }) else { return }
        let isNew = !AssistantStore.exists(at: path)
        let store: AssistantStore
        do throws(ControlError) {
            store = try kept { try AssistantStore(at: path) }
        } catch {
            // It holds nothing, and at the next start would stand for one that was turned on.
            if isNew { AssistantStore.delete(at: path) }
            throw error
        }
        let server = try kept { try store.server() }
        let token = node.subscribe(SubscriptionFilter(events: Self.events)) { [weak self] in self?.take($0) }
        state.withLock { ($0.store, $0.token, $0.server, $0.isWholeReadingDue) = (store, token, server, true) }
        continueReading()
    }

    private func end(_ node: any NodeControl) {
        let before = state.withLock { state in
            defer {
                state = State(changes: state.changes + 1, ends: state.ends + 1, choices: state.choices + 1)
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
            if AssistantStore.isFull(error) { throw .assistantHasNoRoom }
            // It may have been turned off in between.
            throw AssistantStore.exists(at: path) ? .assistantFile(path) : .assistantOff
        }
    }

    // Reading.

    private static let events: Set<ControlEventKind> = [
        MessageEvent.kind, ChangedEvent.kind, WithdrawnEvent.kind, RemovedEvent.kind,
    ]

    private func take(_ event: any ControlEvent) {
        let news: News
        switch event {
        // A message of the user's that counts for nobody is found no longer.
        case let event as ChangedEvent where event.message.status == .failed: news = .gone([event.message.id])
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
            let reader = Reader(node, store) { [self] in
                changed()
                // Only now, as embeddings that were made meanwhile are not those of these messages.
                state.withLock { if $0.ends == ends { $0.vectors.want() } }
            }
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
