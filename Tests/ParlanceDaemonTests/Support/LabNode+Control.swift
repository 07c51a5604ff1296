import ParlanceControl

// What tests ask a node through its control socket.
extension LabNode {
    /// The daemon answered something else than was asked.
    struct Unexpected: Error {
        let reply: ControlReply
    }

    func ask<Value>(_ request: ControlRequest, _ read: (ControlReply) -> Value?) async throws -> Value {
        let reply = try await client().call(request)
        guard let value = read(reply) else { throw Unexpected(reply: reply) }
        return value
    }

    func status() async throws -> NodeStatus {
        try await ask(.status) { if case .status(let status) = $0 { status } else { nil } }
    }

    func peers() async throws -> [PeerInfo] {
        try await ask(.peers) { if case .peers(let reply) = $0 { reply.peers } else { nil } }
    }

    /// The peer that is called so, if it is known.
    func peer(_ name: String) async throws -> PeerInfo? {
        try await peers().first { $0.displayName == name }
    }

    func conversation(with name: String) async throws -> ConversationInfo? {
        try await ask(.conversations) {
            if case .conversations(let reply) = $0 {
                .some(reply.conversations.first { $0.title == name })
            } else {
                nil
            }
        }
    }

    @discardableResult
    func send(_ text: String, to who: String) async throws -> SendReply {
        try await ask(.send(SendRequest(who: who, text: text))) { if case .sent(let reply) = $0 { reply } else { nil } }
    }

    func outbox() async throws -> [OutboxItem] {
        try await ask(.outbox) { if case .outbox(let reply) = $0 { reply.items } else { nil } }
    }

    /// The whole conversation, the oldest message first, read page by page.
    func history(with who: String, page: Int = 50) async throws -> [MessageInfo] {
        var messages: [MessageInfo] = []
        while true {
            let request = HistoryRequest(who: who, before: messages.first?.id, limit: page)
            let reply = try await ask(.history(request)) { if case .history(let reply) = $0 { reply } else { nil } }
            guard !reply.messages.isEmpty else { return messages }
            messages = reply.messages + messages
            guard reply.more else { return messages }
        }
    }

    func texts(with who: String) async throws -> [String] {
        try await history(with: who).map(\.text)
    }

    func accept(_ who: String) async throws {
        _ = try await client().call(.accept(WhoRequest(who: who)))
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

    /// Waits until everything that was sent to a peer has been delivered.
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
