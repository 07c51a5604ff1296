import Glibc
import ParlanceControl
import ParlanceEmbedding
import ParlanceWords

// Questions: the messages that fit best, by their words and by their meaning (protocol/assistant.md, "Questions").
extension Assistant {
    /// Answers a question, and keeps it with its answer.
    ///
    /// - Parameters:
    ///   - isAside: whether it stands beside a search, which does not wait long for it.
    ///   - tell: gets what a chat model writes, if the question has a label.
    func ask(
        _ operation: AskOperation,
        isAside: Bool,
        _ ticket: Questions.Ticket,
        _ node: any NodeControl,
        _ tell: @escaping @Sendable (AnswerEvent) -> Void
    ) async throws(ControlError) -> AskReply {
        let time = LocalClock.system().now
        let store = try opened()
        let bytes = operation.question.utf8.count
        guard bytes <= AssistantLimits.questionBytes else { throw .longQuestion(bytes) }
        let limit = operation.limit ?? AskOperation.sources
        guard (1...AskOperation.maximumSources).contains(limit) else { throw .sourceLimit(limit) }
        let words = QuestionWords.of(operation.question)
        guard !words.isEmpty else { throw .emptyQuestion() }
        let sources = try await Sources(node)
        let place = try await sources.conversation(operation.who)
        let count = try kept { try store.count() }
        var candidates = try await byWords(words, in: place, of: count, node)
        let finder = try await addNearest(operation, place, store, ticket, isAside: isAside, &candidates)
        let best = candidates.filter(\.value.isEnough)
            .sorted { ($0.value.score, $0.key) > ($1.value.score, $1.key) }
        var found: [AssistantSource] = []
        for (message, candidate) in best where found.count < limit {
            guard var source = await sources.source(message, in: candidate.conversation) else { continue }
            source.score = candidate.shownScore
            found.append(source)
        }
        var bare = AskReply(sources: found, model: finder.model)
        bare.problem = finder.problem
        // Whoever says how many messages are wanted wants messages, and no chat model gets them.
        guard operation.limit == nil else { return bare }
        let earlier = await earlier(about: place, found, store, sources)
        let teller = operation.turn.map { AnswerTeller($0, tell) }
        let reply = await answer(operation.question, bare, after: earlier, store, ticket, teller)
        // From here on it cannot be cancelled.
        guard !questions.end(ticket), var reply else {
            // Turning the assistant off cancels as well.
            _ = try opened()
            return bare.cancelled
        }
        let turn = AssistantStore.Turn(operation.question, about: place, at: time, reply, after: earlier)
        switch await keep(turn, store, node) {
        case .gone: return await stillShown(bare, node)
        case .kept(let id): reply.kept = Int(id)
        case .notKept(let reason): if reply.problem == nil { reply.problem = reason.map(Phrase.notKept) }
        }
        return reply
    }

    /// What is left of a reply after one of its messages went, or changed, while the answer was written.
    private func stillShown(_ reply: AskReply, _ node: any NodeControl) async -> AskReply {
        var left = reply
        let sources = try? await Sources(node)
        left.sources = []
        for source in reply.sources {
            guard let now = await sources?.source(source.id, in: source.conversation), now.excerpt == source.excerpt
            else {
                continue
            }
            left.sources.append(source)
        }
        left.problem = .messagesGone
        return left
    }

    /// A message that may answer a question.
    private struct Candidate {
        var conversation: String
        /// The weight of the question's words that it has, as a share of the weight of all.
        var share = 0.0
        /// Nil without a model.
        var cosine: Double?

        var score: Double { cosine.map { $0 + AssistantLimits.wordWeight * share } ?? share }
        var shownScore: Double { min(1, max(0, cosine == nil ? share : score / (1 + AssistantLimits.wordWeight))) }
        var isEnough: Bool {
            guard let cosine else { return share >= AssistantLimits.leastScore }
            return cosine >= AssistantLimits.leastCosine || share >= 2 * AssistantLimits.leastScore
        }
    }

    /// The messages that have words of a question.
    private func byWords(
        _ words: [String],
        in place: ConversationInfo?,
        of count: Int,
        _ node: any NodeControl
    ) async throws(ControlError) -> [String: Candidate] {
        var candidates: [String: Candidate] = [:]
        var total = 0.0
        for word in words {
            var query = QuestionWords.query(word)
            if let place { query += " in:\(place.who)" }
            let reply = try await node.call(SearchOperation(query: query, limit: AssistantLimits.matches))
            // The inverse document frequency: a word that few messages have says more.
            let weight = log(1 + Double(max(count, reply.found)) / Double(max(1, reply.found)))
            total += weight
            for hit in reply.hits {
                candidates[hit.id, default: Candidate(conversation: hit.conversation)].share += weight
            }
        }
        return candidates.mapValues { candidate in
            var candidate = candidate
            candidate.share /= total
            return candidate
        }
    }

    /// What found messages, and why it was not their meaning.
    private struct Finder {
        var model = ModelInfo.rules
        var problem: Phrase?
    }

    /// Adds the messages whose meaning is near to that of a question, and how near those are that have its words.
    ///
    /// Without the server that makes embeddings, words alone count.
    private func addNearest(
        _ operation: AskOperation,
        _ place: ConversationInfo?,
        _ store: AssistantStore,
        _ ticket: Questions.Ticket,
        isAside: Bool,
        _ candidates: inout [String: Candidate]
    ) async throws(ControlError) -> Finder {
        guard let maker else { return Finder() }
        let index = try vectors(in: place?.id, store, maker)
        // The question is sent nowhere if there is nothing to compare it with. A search by words does not wait for a server
        // that was away a moment ago; who asks does.
        let known = vectorProblem
        guard !index.isEmpty, !isAside || known == nil else {
            return Finder(problem: .wordsAlone(known ?? Phrase("No message has an embedding yet.")))
        }
        let vector: Int8Vector
        do {
            let made = try await ticket.unlessCancelled {
                try await maker.embed(question: operation.question, isAside: isAside)
            }
            guard let made else { return Finder() }
            noteQuestion(nil, of: maker)
            vector = made
        } catch {
            if let error = error as? ModelError { throw ControlError(error) }
            let problem = (ControlError.embedding(maker, error) ?? fileFailure(error)).message
            noteQuestion(problem, of: maker)
            return Finder(problem: .wordsAlone(problem))
        }
        for near in index.nearest(AssistantLimits.nearest, to: vector) {
            candidates[near.message, default: Candidate(conversation: near.conversation)].cosine = near.cosine
        }
        for message in candidates.keys where candidates[message]?.cosine == nil {
            candidates[message]?.cosine = index.cosine(of: message, to: vector)
        }
        return Finder(model: maker.info)
    }
}

extension Phrase {
    fileprivate static func wordsAlone(_ problem: Phrase) -> Phrase { Phrase("\(problem) Only words were compared.") }
    fileprivate static func notKept(_ problem: Phrase) -> Phrase { Phrase("\(problem) The question is not kept.") }
}
