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
        /// Why the file of an earlier run could not be opened; nil: it could be, or there is none.
        var failure: ControlError?
        /// Why the last reading of all conversations, or one after it, missed something.
        var trouble: Phrase?
        var token: SubscriptionToken?
        /// Messages that are new or have changed, and the IDs of those that are gone.
        var news: [News] = []
        /// Whether the conversations are to be read from their beginnings.
        var isWholeReadingDue = false
        /// When that may begin: after it has failed twice, not with each message. What is new is read meanwhile.
        var wholeReadingAfter = ContinuousClock.now
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
    /// Between two readings of everything that fail.
    private let pause: Duration
    /// Told what failed and why; never with texts.
    let report: @Sendable (AssistantFailure, String) -> Void
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
    ///   - pause: between two readings of everything that fail.
    ///   - report: gets what failed and why, for the log of the node.
    package init(
        folder: String,
        timeLimits: ModelTimeLimits = ModelTimeLimits(),
        pause: Duration = AssistantLimits.readingPause,
        report: @escaping @Sendable (AssistantFailure, String) -> Void = { _, _ in }
    ) {
        (self.timeLimits, self.pause, self.report) = (timeLimits, pause, report)
        path = folder + "/" + AssistantStore.fileName
        embedder = Embedder(folder: folder + "/model")
        (jobs, submit) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(AssistantLimits.jobs))
    }

    /// Works until the task is cancelled.
    package func run(_ node: any NodeControl) async {
        // Somebody turned it on in an earlier run.
        if AssistantStore.exists(at: path) {
            switching.withLock { _ in
                do throws(ControlError) {
                    try begin(node)
                } catch {
                    // Everybody who asks something of it is told, until it is turned on or off.
                    state.withLock { $0.failure = error }
                }
            }
        }
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
    ///
    /// - Throws: also if it was on in an earlier run and its file cannot be opened now.
    package func turn(_ on: Bool?, _ node: any NodeControl) throws(ControlError) -> AssistantInfo {
        try switching.withLock { _ throws(ControlError) in
            if on == false {
                end(node)
                if let left = AssistantStore.delete(at: path) {
                    throw .assistantFileStays(left.path, isMain: left.path == path, left.code)
                }
            }
            if on == true { try begin(node) }
        }
        let (opened, failure, trouble) = state.withLock { ($0.store, $0.failure, $0.trouble) }
        if let failure { throw failure }
        guard let store = opened else { return AssistantInfo(on: false) }
        var info = AssistantInfo(on: true)
        info.model = model
        info.chat = chat()?.info
        info.messages = try kept { try store.count() }
        info.problem = vectorProblem
        info.trouble = trouble
        // What failed is tried again with the next message, so nothing is being read until then.
        info.reading = (isReadingTexts && trouble == nil) || isMakingVectors ? true : nil
        info.bytes = store.bytes
        return info
    }

    /// Whether some of what was written before has not been read.
    var isReadingTexts: Bool { state.withLock { $0.isReading || $0.isWholeReadingDue } }

    private func begin(_ node: any NodeControl) throws(ControlError) {
        guard state.withLock({ $0.store == nil }) else { return }
        let isNew = !AssistantStore.exists(at: path)
        let store: AssistantStore
        do {
            store = try AssistantStore(at: path)
        } catch {
            // It holds nothing, and at the next start would stand for one that was turned on.
            if isNew { _ = AssistantStore.delete(at: path) }
            throw fileFailure(error)
        }
        let server = try kept { try store.server() }
        let token = node.subscribe(SubscriptionFilter(events: Self.events)) { [weak self] in self?.take($0) }
        state.withLock { state in
            (state.store, state.token, state.server, state.isWholeReadingDue) = (store, token, server, true)
            state.failure = nil
        }
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
        let (store, failure) = state.withLock { ($0.store, $0.failure) }
        if let store { return store }
        throw failure ?? .assistantOff
    }

    /// Does something with the store; an error of it becomes one for people.
    func kept<Value>(_ body: () throws -> Value) throws(ControlError) -> Value {
        do {
            return try body()
        } catch {
            // It may have been turned off in between.
            guard AssistantStore.exists(at: path), !AssistantStore.isClosed(error) else { throw .assistantOff }
            throw fileFailure(error)
        }
    }

    /// Reports why the file cannot be used.
    ///
    /// - Returns: the same for people.
    func fileFailure(_ error: any Error) -> ControlError {
        report(.file, "\(error)")
        return fileError(error)
    }

    private func fileError(_ error: any Error) -> ControlError {
        AssistantStore.isFull(error) ? .assistantHasNoRoom : .assistantFile(path)
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

        var isEverything: Bool { if case .everything = self { true } else { false } }
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
                case .everything:
                    if let unread = try await reader.readEverything() { throw unread }
                    state.withLock { if $0.ends == ends { $0.trouble = nil } }
                case .news(let news): try await reader.read(news)
                }
            } catch {
                guard readingFailed(error, ends, of: due) else { return }
            }
        }
    }

    /// What comes next, or the next start, has everything looked at again; after a second failure not before a pause. What
    /// fails again and again is reported once.
    ///
    /// - Returns: whether reading goes on at once, since something is new.
    private func readingFailed(_ error: any Error, _ ends: Int, of due: Due) -> Bool {
        // What fails while it is turned off or the node stops is of no interest.
        let isOver = Task.isCancelled || error is CancellationError
        let failure = error as? ControlError
        let trouble = isOver ? nil : failure ?? fileError(error)
        let (isNew, goesOn) = state.withLock { state in
            guard state.ends == ends else { return (false, false) }
            if due.isEverything, state.trouble != nil { state.wholeReadingAfter = .now + pause }
            defer { state.trouble = trouble?.message }
            // What came meanwhile has everything read once more, or is read during the pause.
            let goesOn = due.isEverything && !isOver && !state.news.isEmpty
            (state.isReading, state.isWholeReadingDue) = (goesOn, true)
            return (trouble != nil && state.trouble != trouble?.message, goesOn)
        }
        if isNew, let trouble {
            report(failure == nil ? .file : .conversation, failure == nil ? "\(error)" : trouble.message.english)
        }
        return goesOn
    }

    /// What is to be read next; nil if that is nothing. Then nobody is reading any more.
    private func takeDue(_ ends: Int) -> (AssistantStore, Due)? {
        state.withLock { state in
            guard state.ends == ends else { return nil }
            let isWhole = state.isWholeReadingDue && ContinuousClock.now >= state.wholeReadingAfter
            guard let store = state.store, !Task.isCancelled, isWhole || !state.news.isEmpty else {
                state.isReading = false
                return nil
            }
            // The news stay until everything has been read: should that fail, they are read all the same.
            if isWhole {
                state.isWholeReadingDue = false
                return (store, .everything)
            }
            defer { state.news = [] }
            return (store, .news(state.news))
        }
    }
}
