import ParlanceControl
import ParlanceWords

// The chat model that the user has named (protocol/assistant.md, "A model server").
extension Assistant {
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
