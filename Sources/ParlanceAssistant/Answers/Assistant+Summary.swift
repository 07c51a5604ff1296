package import ParlanceControl

// A conversation in short: its own messages that say most, and what was decided and is to be done.
extension Assistant {
    package func summary(_ operation: SummaryOperation, _ node: any NodeControl) async throws(ControlError)
        -> SummaryReply
    {
        let store = try opened()
        guard operation.missed != true || operation.since == nil else { throw .missedSince }
        let sources = try await Sources(node)
        let read = try await Self.read(operation, node)
        let found = try await byRules(read, sources, store)
        let reply = await summarize(found, read.messages.map { sources.source($0, in: read.place) }, store)
        // A chat model takes its time: what went or changed meanwhile is in no answer.
        guard reply.answer != nil, try await !Self.stands(read, operation, node) else { return reply }
        var bare = try await byRules(try await Self.read(operation, node), sources, store)
        bare.problem = .messagesGone
        return bare
    }

    /// The messages that are read for a summary.
    struct Read {
        var place: ConversationInfo
        /// The oldest first.
        var messages: [MessageInfo] = []
        /// When the user wrote the message before them.
        var since: ControlTime?
    }

    /// Whether the messages are there still, and say the same.
    private static func stands(
        _ read: Read,
        _ operation: SummaryOperation,
        _ node: any NodeControl
    ) async throws(ControlError) -> Bool {
        // The user may have written since.
        let same = SummaryOperation(who: operation.who, since: operation.since ?? read.since)
        let present = try await Self.read(same, node).messages
        let texts = Dictionary(present.map { ($0.id, $0.text) }) { one, _ in one }
        // New messages may have pushed the oldest out of the page.
        let first = present.first?.time ?? ControlTime(milliseconds: .min)
        return read.messages.allSatisfy { texts[$0.id] == $0.text || texts[$0.id] == nil && $0.time < first }
    }

    /// What the rules find.
    private func byRules(
        _ read: Read,
        _ sources: Sources,
        _ store: AssistantStore
    ) async throws(ControlError) -> SummaryReply {
        let (place, messages) = (read.place, read.messages)
        let ids = Set(messages.map(\.id))
        let texts = messages.map { Excerpt.of($0.text) }
        let most = await Aside.run { Centrality.most(texts, count: SummaryOperation.points) }
        let points = most.map { sources.source(messages[$0], in: place) }
        let decisions = try kept { try store.decisions(in: place.id) }.filter { ids.contains($0.message) }
        let actions = try kept { try store.actions(in: place.id) }.filter { ids.contains($0.message) && !$0.done }
        var reply = SummaryReply(
            conversation: place,
            messages: messages.count,
            points: points,
            decisions: await Self.infos(decisions.reversed(), sources),
            actions: await Self.infos(actions, sources),
            model: .rules
        )
        reply.since = read.since
        return reply
    }

    private static func read(
        _ operation: SummaryOperation,
        _ node: any NodeControl
    ) async throws(ControlError) -> Read {
        var read: Read?
        var before: String?
        while true {
            let page = try await node.call(
                HistoryOperation(who: operation.who, before: before, limit: HistoryOperation.maximumLimit)
            )
            var messages = page.messages
            var found = read ?? Read(place: page.conversation)
            if operation.missed == true, let own = messages.lastIndex(where: { $0.mine && $0.note == nil }) {
                found.since = messages[own].time
                messages.removeSubrange(...own)
            }
            let wanted = messages.filter { message in operation.since.map { message.time >= $0 } ?? true }
            found.messages.insert(contentsOf: wanted.filter(\.isReadable), at: 0)
            read = found
            let goesOn = operation.since != nil && page.more && !wanted.isEmpty
            guard goesOn, found.messages.count < AssistantLimits.summarized, let first = page.messages.first else {
                return found
            }
            before = first.id
        }
    }
}
