import ParlanceControl

/// Reads messages and keeps what the rules find in them.
struct Reader {
    private let node: any NodeControl
    private let store: AssistantStore
    /// Nil without a model.
    private let embedder: Embedder?

    init(_ node: any NodeControl, _ store: AssistantStore, _ embedder: Embedder?) {
        (self.node, self.store, self.embedder) = (node, store, embedder)
    }

    /// Reads all conversations from their beginnings. Messages that were read already, and have not changed, take a glance.
    func readEverything() async throws {
        for conversation in try await node.call(ConversationsOperation()).conversations {
            try Task.checkCancellation()
            try await read(conversation)
        }
    }

    private func read(_ conversation: ConversationInfo) async throws {
        let names = try await Members(of: conversation, node)
        var known = try store.digests(of: conversation.id, withVectors: embedder != nil)
        var after = ""
        while true {
            let page: HistoryReply
            do throws(ControlError) {
                page = try await node.call(
                    HistoryOperation(who: conversation.who, after: after, limit: HistoryOperation.maximumLimit)
                )
            } catch {
                // Somebody who only asks to talk has no history, for one.
                return
            }
            var readings: [AssistantStore.Reading] = []
            for message in page.messages where message.isReadable {
                let digest = known.removeValue(forKey: message.id) ?? nil
                guard digest != TextDigest.of(message.text) else { continue }
                readings.append(names.reading(message, embedder))
                // What people do comes first.
                await Task.yield()
            }
            try store.put(readings)
            guard page.more, let last = page.messages.last else { break }
            after = last.id
        }
        try store.remove(known.keys)
    }

    /// Reads messages that are new or have changed.
    func read(_ news: [Assistant.News]) async throws {
        var members: [String: Members] = [:]
        let conversations = try await node.call(ConversationsOperation()).conversations
        for item in news {
            switch item {
            case .gone(let ids): try store.remove(ids)
            case .message(let message) where !message.isReadable: try store.remove([message.id])
            case .message(let message):
                guard let conversation = conversations.first(where: { $0.id == message.conversation }) else { continue }
                if members[conversation.id] == nil {
                    members[conversation.id] = try await Members(of: conversation, node)
                }
                if let names = members[conversation.id] { try store.put([names.reading(message, embedder)]) }
            }
        }
    }
}

extension MessageInfo {
    /// Whether there is a text that the user sees.
    var isReadable: Bool { note == nil && deleted == nil && blocked != true && waits != true && !text.isEmpty }
}

extension ConversationInfo {
    /// What names it in operations, whatever its people are called.
    var who: String { peer ?? id }
}
