import ParlanceControl
import ParlanceErrorCode

/// Reads messages and keeps what the rules find in them.
struct Reader {
    private let node: any NodeControl
    private let store: AssistantStore
    /// Told after each change of what is kept.
    private let changed: @Sendable () -> Void

    init(_ node: any NodeControl, _ store: AssistantStore, changed: @escaping @Sendable () -> Void) {
        (self.node, self.store, self.changed) = (node, store, changed)
    }

    /// Reads all conversations from their beginnings. Messages that were read already, and have not changed, take a
    /// glance.
    ///
    /// - Returns: why one of them could not be read; nil if all could.
    func readEverything() async throws -> ControlError? {
        // Turns after this one may have messages that come while this reads.
        let lastTurn = try store.lastTurn()
        let conversations = try await node.call(ConversationsOperation()).conversations.filter(\.isReadable)
        var failure: ControlError?
        for conversation in conversations {
            try Task.checkCancellation()
            // Somebody may be gone since; what is wrong with one conversation does not hold up the others.
            do {
                try await read(conversation)
            } catch let error as ControlError {
                try Task.checkCancellation()
                if error.code != .unknownPeer { failure = error }
            }
        }
        try store.removeAll(besides: conversations.map(\.id))
        try store.removeTurns(ofUnreadUpTo: lastTurn)
        changed()
        return failure
    }

    /// A file that cannot be read or written ends the reading: what is deleted would stay in it.
    private func read(_ conversation: ConversationInfo) async throws {
        let names = try await Members(of: conversation, node)
        var known = try store.digests(of: conversation.id)
        var after = ""
        while !Task.isCancelled {
            let page = try await node.call(
                HistoryOperation(who: conversation.who, after: after, limit: HistoryOperation.maximumLimit)
            )
            let messages = page.messages.filter { message in
                guard message.isReadable else { return false }
                return known.removeValue(forKey: message.id) != Int64(bitPattern: StableHash.of(message.text))
            }
            try await keep(messages, names)
            guard page.more, let last = page.messages.last else {
                // What was not there any more is forgotten; in the middle of a reading nobody knows that.
                return try store.remove(known.keys)
            }
            after = last.id
        }
    }

    private func keep(_ messages: [MessageInfo], _ names: Members) async throws {
        guard !messages.isEmpty else { return }
        try await Aside.run { [store] in Result { try store.put(messages.map(names.reading)) } }.get()
        changed()
    }

    /// Reads messages that are new or have changed.
    func read(_ news: [Assistant.News]) async throws {
        var members: [String: Members] = [:]
        let conversations = try await node.call(ConversationsOperation()).conversations
        for item in news {
            try Task.checkCancellation()
            switch item {
            case .gone(let ids):
                try store.remove(ids)
                changed()
            case .message(let message):
                guard let conversation = conversations.first(where: { $0.id == message.conversation }),
                    message.isReadable, conversation.isReadable
                else {
                    try store.remove([message.id])
                    changed()
                    continue
                }
                // A reaction or a receipt changes no text.
                let digest = try store.digest(of: message.id)
                guard digest != Int64(bitPattern: StableHash.of(message.text)) else { continue }
                if members[conversation.id] == nil {
                    members[conversation.id] = try await Members(of: conversation, node)
                }
                if let names = members[conversation.id] { try await keep([message], names) }
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

    /// Whether it is more than a request, and not with somebody who is blocked.
    var isReadable: Bool { kind == .group || contact == .open || contact == .waiting }
}
