import ParlanceControl

/// The names of the people of a conversation, as its messages and the user know them.
struct Members: Sendable {
    private let conversation: String
    let names: [String]
    let own: String
    private let clock = LocalClock.system()

    init(of conversation: ConversationInfo, _ node: any NodeControl) async throws(ControlError) {
        self.conversation = conversation.id
        own = try await node.call(StatusOperation()).name
        switch conversation.kind {
        case .direct: names = [own, conversation.title]
        case .group: names = try await node.call(GroupShowOperation(group: conversation.id)).members.map(\.displayName)
        }
    }

    /// What the rules find in a message.
    func reading(_ message: MessageInfo) -> AssistantStore.Reading {
        let read = readMessage(message)
        return AssistantStore.Reading(
            id: message.id,
            conversation: conversation,
            time: message.time.milliseconds,
            digest: Int64(bitPattern: StableHash.of(message.text)),
            excerpt: Excerpt.digest(of: Excerpt.of(message.text)),
            actions: Rules.actions(in: read, members: names),
            decision: Rules.decision(in: read)
        )
    }

    func priority(_ message: MessageInfo) -> Priority {
        Rules.priority(of: readMessage(message), to: own, members: names)
    }

    /// The names of those whom a message mentions. It lists only the first of many; then it may be anybody.
    private func mentioned(_ message: MessageInfo) -> [String] {
        if message.mentionCount != nil { return names }
        return (message.mentions ?? []).map { $0.me == true ? own : $0.displayName }
    }

    private func readMessage(_ message: MessageInfo) -> ReadMessage {
        ReadMessage(
            sender: message.mine ? own : message.senderName,
            text: message.text,
            mentions: mentioned(message),
            time: message.time.milliseconds,
            offset: clock.secondsEast(message.time)
        )
    }
}
