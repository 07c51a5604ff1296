import ParlanceControl

/// Finds the messages behind what the assistant has found, as they are shown now.
struct Sources {
    private let node: any NodeControl
    private let conversations: [String: ConversationInfo]
    private let me: Person

    init(_ node: any NodeControl) async throws(ControlError) {
        self.node = node
        let all = try await node.call(ConversationsOperation()).conversations
        conversations = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
        let status = try await node.call(StatusOperation())
        me = Person(id: status.peerID, displayName: status.name, me: true)
    }

    var all: [ConversationInfo] { conversations.values.sorted { $0.id < $1.id } }

    /// The conversation that a WHO means; nil if it means none, which is all of them.
    func conversation(_ who: String?) async throws(ControlError) -> ConversationInfo? {
        guard let who else { return nil }
        return try await node.call(HistoryOperation(who: who, limit: 1)).conversation
    }

    /// A source; nil if the message is gone, or does not show.
    func source(_ message: String, in conversation: String) async -> AssistantSource? {
        guard let place = conversations[conversation],
            let found = await messages(around: message, in: conversation, limit: 1).first(where: { $0.id == message })
        else { return nil }
        return source(found, in: place)
    }

    /// A message and those around it, as far as they have a text that shows; none if it is gone.
    func messages(around message: String, in conversation: String, limit: Int) async -> [MessageInfo] {
        guard let place = conversations[conversation], place.isReadable,
            let page = try? await node.call(HistoryOperation(who: place.who, around: message, limit: limit))
        else { return [] }
        return page.messages.filter(\.isReadable)
    }

    func source(_ message: MessageInfo, in place: ConversationInfo) -> AssistantSource {
        AssistantSource(
            id: message.id,
            conversation: place.id,
            kind: place.kind,
            title: place.title,
            sender: message.mine
                ? me : Person(id: message.sender, displayName: message.senderName, trust: message.senderTrust),
            time: message.time,
            excerpt: Excerpt.of(message.text)
        )
    }
}

/// The beginning of a text in one paragraph.
enum Excerpt {
    /// Tells one excerpt from another.
    static func digest(of excerpt: String) -> Int64 { Int64(bitPattern: StableHash.of(excerpt)) }

    static func of(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        // A character may be made of thousands of code points.
        let most = AssistantLimits.excerptCharacters
        let scalars = line.unicodeScalars.prefix(2 * most)
        let isCut = scalars.endIndex < line.unicodeScalars.endIndex || line.count > most
        return isCut ? String(String(scalars).prefix(most - 1)) + "…" : line
    }
}
