import ParlanceControl
import ParlanceWaiting

// Questions and requests through a node's control socket.
extension LabNode {
    @discardableResult
    func ask<Operation: ControlOperation>(_ operation: Operation) async throws -> Operation.Reply {
        try await client().call(operation)
    }

    func status() async throws -> NodeStatus {
        try await ask(StatusOperation())
    }

    func peers() async throws -> [PeerInfo] {
        try await ask(PeersOperation()).peers
    }

    /// The peer with that display name; `nil` if none is known.
    func peer(_ name: String) async throws -> PeerInfo? {
        try await peers().first { $0.displayName == name }
    }

    func conversation(with name: String) async throws -> ConversationInfo? {
        try await ask(ConversationsOperation()).conversations.first { $0.title == name }
    }

    @discardableResult
    func send(_ text: String, to who: String) async throws -> SendReply {
        try await ask(SendOperation(who: who, text: text))
    }

    func outbox() async throws -> [OutboxItem] {
        try await ask(OutboxOperation()).items
    }

    /// The whole conversation, the oldest message first, read page by page.
    func history(with who: String, page: Int = 50) async throws -> [MessageInfo] {
        var messages: [MessageInfo] = []
        while true {
            let reply = try await ask(HistoryOperation(who: who, before: messages.first?.id, limit: page))
            guard !reply.messages.isEmpty else { return messages }
            messages = reply.messages + messages
            guard reply.more else { return messages }
        }
    }

    func texts(with who: String) async throws -> [String] {
        try await history(with: who).map(\.text)
    }

    func accept(_ who: String) async throws {
        try await ask(AcceptOperation(who: who))
    }

    /// Waits until a peer is known and satisfies a condition.
    @discardableResult
    func sees(
        _ peer: String,
        within limit: Duration = .seconds(15),
        _ what: String,
        where condition: (PeerInfo) -> Bool
    ) async throws -> PeerInfo {
        var last: PeerInfo?
        return try await soon("\(name) sees \(peer) \(what)", within: limit, last: "\(last, default: "nobody")") {
            last = try await self.peer(peer)
            return last.flatMap { condition($0) ? $0 : nil }
        }
    }

    /// Waits until everything that was sent to the peers has been delivered.
    func deliversAll(within limit: Duration = .seconds(15)) async throws {
        var last = 0
        try await eventually(
            "\(name)'s outbox is empty",
            within: limit,
            every: .milliseconds(30),
            last: "\(last) messages wait"
        ) {
            last = try await outbox().count
            return last == 0
        }
    }
}
