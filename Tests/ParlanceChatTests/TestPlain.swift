import ParlanceControl
import ParlanceTerminal

@testable import ParlanceChat

/// A plain chat with what it asked for and told.
struct TestPlain {
    private(set) var chat: PlainChat
    private var number = 0
    private(set) var calls: [(operation: any ControlOperation, purpose: ChatPurpose)] = []
    private var told: [String] = []
    private let clock = TestScreen.clock(1_763_720_000_000)

    init(who: String? = nil, isPipe: Bool = false) {
        chat = PlainChat(who: who, isPipe: isPipe, clock: clock)
    }

    mutating func take(_ inputs: ChatInput...) {
        for input in inputs { did(chat.handle(input, at: clock)) }
    }

    mutating func type(_ line: String) {
        number += 1
        did(chat.typed(line, number: number, at: clock))
    }

    private mutating func did(_ effects: [ChatEffect]) {
        for case .call(let operation, let purpose) in effects { calls.append((operation, purpose)) }
        let lines = chat.lines()
        told += lines.map(Self.text)
        guard !lines.isEmpty else { return }
        for case .call(let operation, let purpose) in chat.displayed() { calls.append((operation, purpose)) }
    }

    private static func text(_ line: PlainLine) -> String {
        switch line {
        case .message(let message): "\(message.senderName): \(message.text)"
        case .elsewhere(let message): "<\(message.conversation)> \(message.senderName): \(message.text)"
        case .event(let event): "(\(event.kind.rawValue))"
        case .found(let reply): "found \(reply.found)"
        case .answered(let reply): "answered \(reply.answer ?? "")"
        case .talk(let reply): "talk \(reply.turns.count)"
        case .said(let text, _): text
        }
    }

    /// What was told since the last look.
    mutating func news() -> [String] {
        defer { told = [] }
        return told
    }

    mutating func answer<Operation: ControlOperation>(
        _ kind: Operation.Type,
        _ reply: Result<Operation.Reply, ControlFailure>
    ) {
        guard let index = calls.firstIndex(where: { $0.operation is Operation }) else { return }
        take(.replied(calls.remove(at: index).purpose, reply.map { $0 as any Sendable }))
    }

    mutating func asked<Operation: ControlOperation>(_ kind: Operation.Type) -> [Operation] {
        let found = calls.compactMap { $0.operation as? Operation }
        calls.removeAll { $0.operation is Operation }
        return found
    }

    mutating func begin(
        _ conversations: [ConversationInfo],
        messages: [MessageInfo] = [],
        more: Bool = false
    ) {
        take(.connected)
        answer(ConversationsOperation.self, .success(ConversationsReply(conversations: conversations)))
        guard let first = conversations.first else { return }
        let page = HistoryReply(conversation: first, messages: messages, more: more)
        answer(HistoryOperation.self, .success(page))
    }
}
