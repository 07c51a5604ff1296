package import ParlanceControl

// A conversation in short: its own messages that say most, and what was decided and is to be done.
extension Assistant {
    package func summary(_ operation: SummaryOperation, _ node: any NodeControl) async throws(ControlError)
        -> SummaryReply
    {
        let store = try opened()
        let (found, read) = try await byRules(operation, node, store)
        let reply = await summarize(found, read, store)
        guard reply.answer != nil else { return reply }
        // A chat model takes its time: what went meanwhile is in no answer.
        let (again, present) = try await byRules(operation, node, store)
        guard let first = present.first?.time else { return again }
        let texts = Dictionary(present.map { ($0.id, $0.excerpt) }) { one, _ in one }
        let isSame = read.allSatisfy { texts[$0.id] == $0.excerpt || texts[$0.id] == nil && $0.time < first }
        guard !isSame else { return reply }
        var bare = again
        bare.problem = .messagesGone
        return bare
    }

    /// What the rules find, and the messages that were read, the oldest first.
    private func byRules(
        _ operation: SummaryOperation,
        _ node: any NodeControl,
        _ store: AssistantStore
    ) async throws(ControlError) -> (SummaryReply, [AssistantSource]) {
        let sources = try await Sources(node)
        let (place, messages) = try await Self.messages(operation, node)
        let ids = Set(messages.map(\.id))
        let texts = messages.map { Excerpt.of($0.text) }
        let most = await Aside.run { Centrality.most(texts, count: SummaryOperation.points) }
        let points = most.map { sources.source(messages[$0], in: place) }
        let decisions = try kept { try store.decisions(in: place.id) }.filter { ids.contains($0.message) }
        let actions = try kept { try store.actions(in: place.id) }.filter { ids.contains($0.message) && !$0.done }
        let reply = SummaryReply(
            conversation: place,
            messages: messages.count,
            points: points,
            decisions: await Self.infos(decisions.reversed(), sources),
            actions: await Self.infos(actions, sources),
            model: .rules
        )
        return (reply, messages.map { sources.source($0, in: place) })
    }

    /// The messages that are read for a summary, the oldest first.
    private static func messages(
        _ operation: SummaryOperation,
        _ node: any NodeControl
    ) async throws(ControlError) -> (ConversationInfo, [MessageInfo]) {
        var messages: [MessageInfo] = []
        var before: String?
        while true {
            let page = try await node.call(
                HistoryOperation(who: operation.who, before: before, limit: HistoryOperation.maximumLimit)
            )
            let wanted = page.messages.filter { message in operation.since.map { message.time >= $0 } ?? true }
            messages.insert(contentsOf: wanted.filter(\.isReadable), at: 0)
            let goesOn = operation.since != nil && page.more && !wanted.isEmpty
            guard goesOn, messages.count < AssistantLimits.summarized, let first = page.messages.first else {
                return (page.conversation, messages)
            }
            before = first.id
        }
    }
}
