package import ParlanceControl
import ParlanceWords

// What was asked and answered (protocol/assistant.md, "The talk").
extension Assistant {
    /// Answers a question, which can be cancelled until the reply is given.
    ///
    /// - Parameters:
    ///   - isAside: whether it stands beside a search, which does not wait long for it.
    ///   - tell: gets what a chat model writes, if the question has a label.
    package func ask(
        _ operation: AskOperation,
        isAside: Bool = false,
        tell: @escaping @Sendable (AnswerEvent) -> Void
    ) async throws(ControlError) -> AskReply {
        let ticket = try questions.begin(operation.turn)
        defer { questions.end(ticket) }
        return try await perform { assistant, node throws(ControlError) in
            try await assistant.ask(operation, isAside: isAside, ticket, node, tell)
        }
    }

    /// Cancels a question at once, however much is waiting.
    package func cancel(_ operation: AskCancelOperation) -> AskCancelReply {
        AskCancelReply(cancelled: questions.cancel(operation.turn))
    }

    package func talk(_ operation: TalkOperation, _ node: any NodeControl) async throws(ControlError) -> TalkReply {
        let store = try opened()
        let sources = try await Sources(node)
        let place = try await sources.conversation(operation.who)
        let turns = try kept { try store.turns(about: place?.id) }
        return TalkReply(turns: await Self.shown(turns, sources).map(\.shown))
    }

    package func clear(
        _ operation: TalkClearOperation,
        _ node: any NodeControl
    ) async throws(ControlError) -> TalkClearReply {
        let store = try opened()
        if operation.all == true { return TalkClearReply(turns: try kept { try store.removeAllTurns() }) }
        let place = try await (try Sources(node)).conversation(operation.who)
        return TalkClearReply(turns: try kept { try store.removeTurns(about: place?.id) })
    }

    /// A turn that is shown.
    typealias ShownTurn = (kept: AssistantStore.Turn, shown: TalkTurn)

    /// The turns all of whose messages are shown, and are as they were then.
    static func shown(_ turns: [AssistantStore.Turn], _ sources: Sources) async -> [ShownTurn] {
        var known: [String: AssistantSource?] = [:]
        func source(_ basis: AssistantStore.Basis) async -> AssistantSource? {
            if known[basis.message] == nil {
                known[basis.message] = .some(await sources.source(basis.message, in: basis.conversation))
            }
            guard let found = known[basis.message] ?? nil, Excerpt.digest(of: found.excerpt) == basis.digest else {
                return nil
            }
            return found
        }
        var shown: [ShownTurn] = []
        turns: for turn in turns {
            for other in turn.others where await source(other) == nil { continue turns }
            var found: [AssistantSource] = []
            for basis in turn.sources {
                guard var source = await source(basis) else { continue turns }
                source.score = basis.score
                found.append(source)
            }
            shown.append((turn, TalkTurn(turn, found)))
        }
        return shown
    }

    /// The last turns with an answer, the oldest first, for a question about the same.
    ///
    /// - Parameter found: the messages that answer the question.
    func earlier(
        about place: ConversationInfo?,
        _ found: [AssistantSource],
        _ store: AssistantStore,
        _ sources: Sources
    ) async -> [AssistantStore.Turn] {
        // Without them the question is answered all the same.
        let last = (try? kept { try store.turns(about: place?.id, last: AssistantLimits.earlierTurns) }) ?? []
        var messages = Set(found.map(\.id))
        var earlier: [AssistantStore.Turn] = []
        for turn in await Self.shown(last, sources).map(\.kept).reversed() where turn.answer != nil {
            messages.formUnion(turn.basis.map(\.message))
            guard messages.count <= AssistantLimits.turnMessages else { break }
            earlier.insert(turn, at: 0)
        }
        return earlier
    }

    /// What became of a question and its reply.
    enum Keeping {
        /// With the ID of the turn.
        case kept(Int64)
        /// The turn is too large, or the file could not be written, for this reason.
        case notKept(Phrase?)
        /// A message has gone or changed in the meantime.
        case gone
    }

    /// Keeps a question and its reply.
    func keep(_ turn: AssistantStore.Turn, _ store: AssistantStore, _ node: any NodeControl) async -> Keeping {
        var id: Int64?
        var reason: Phrase?
        do throws(ControlError) {
            id = try kept { try store.add(turn) }
        } catch {
            reason = error.message
        }
        // Whatever goes from now on, takes the turn with it.
        let sources = try? await Sources(node)
        if let sources, await !Self.shown([turn], sources).isEmpty { return id.map { .kept($0) } ?? .notKept(reason) }
        // If it cannot be removed, it is not shown, and the next reading of everything removes it.
        if let id { try? kept { try store.removeTurn(id) } }
        return .gone
    }
}

extension AssistantStore.Turn {
    /// - Parameter earlier: the turns that the chat model got with the question.
    init(
        _ question: String,
        about place: ConversationInfo?,
        at time: ControlTime,
        _ reply: AskReply,
        after earlier: [Self]
    ) {
        var seen = Set(reply.sources.map(\.id))
        self.init(
            conversation: place?.id,
            time: time.milliseconds,
            question: question,
            answer: reply.answer,
            problem: reply.problem,
            model: reply.model,
            sources: reply.sources.map { source in
                AssistantStore.Basis(
                    message: source.id,
                    conversation: source.conversation,
                    digest: Excerpt.digest(of: source.excerpt),
                    score: source.score
                )
            },
            others: reply.answer == nil ? [] : earlier.flatMap(\.basis).filter { seen.insert($0.message).inserted }
        )
    }
}

extension TalkTurn {
    fileprivate init(_ turn: AssistantStore.Turn, _ sources: [AssistantSource]) {
        self.init(
            id: Int(turn.id),
            time: ControlTime(milliseconds: turn.time),
            question: turn.question,
            sources: sources,
            model: turn.model
        )
        (answer, problem) = (turn.answer, turn.problem)
    }
}
