import ParlanceControl
import ParlanceErrorCode
import ParlanceWords
import Synchronization

@testable import ParlanceAssistant
@testable import ParlanceEmbedding

/// A node in memory with one conversation, for what the assistant asks of one.
final class LittleNode: NodeControl {
    private struct State {
        var messages: [MessageInfo] = []
        /// Whether the next one who asks for its conversations has to wait.
        var holdsNext = false
        var release: (@Sendable () -> Void)?
        /// Whether its conversation cannot be read.
        var isUnreadable = false
        var last: UInt64 = 0
        var subscribers: [UInt64: (SubscriptionFilter, @Sendable (any ControlEvent) -> Void)] = [:]
    }

    static let conversation = ConversationInfo(id: "c", title: "Bob", peer: "bob")
    private let state = Mutex(State())

    init(_ texts: [String]) {
        for (number, text) in texts.enumerated() { write("m\(number + 1)", text) }
    }

    private static func message(_ id: String, _ text: String) -> MessageInfo {
        MessageInfo(
            id: id,
            conversation: conversation.id,
            sender: "bob",
            senderName: "Bob",
            mine: false,
            text: text,
            time: ControlTime(milliseconds: 1_772_000_000_000)
        )
    }

    /// Writes a message, or another text into one.
    func write(_ id: String, _ text: String) {
        let message = Self.message(id, text)
        let isNew = state.withLock { state in
            guard let place = state.messages.firstIndex(where: { $0.id == id }) else {
                state.messages.append(message)
                return true
            }
            state.messages[place] = message
            return false
        }
        tell(isNew ? MessageEvent(message) as any ControlEvent : ChangedEvent(message))
    }

    /// The next one who asks for the conversations waits until `release`.
    func holdNext() { state.withLock { $0.holdsNext = true } }

    /// Its conversation cannot be read from now on; what is new is told all the same.
    func becomeUnreadable() { state.withLock { $0.isUnreadable = true } }

    var isHolding: Bool { state.withLock { $0.release != nil } }

    func release() {
        let answer = state.withLock { state in
            defer { state.release = nil }
            return state.release
        }
        answer?()
    }

    func withdraw(_ id: String) {
        state.withLock { $0.messages.removeAll { $0.id == id } }
        tell(WithdrawnEvent(id: id))
    }

    private func tell(_ event: any ControlEvent) {
        for (filter, deliver) in state.withLock({ Array($0.subscribers.values) }) where filter.admits(event) {
            deliver(event)
        }
    }

    func subscribe(
        _ filter: SubscriptionFilter,
        deliver: @escaping @Sendable (any ControlEvent) -> Void
    ) -> SubscriptionToken {
        state.withLock { state in
            state.last += 1
            state.subscribers[state.last] = (filter, deliver)
            return SubscriptionToken(rawValue: state.last)
        }
    }

    func unsubscribe(_ token: SubscriptionToken) { state.withLock { $0.subscribers[token.rawValue] = nil } }

    func registerClient() -> @Sendable (ClientReport?) -> Void { { _ in } }

    var methods: ControlMethods {
        var methods = ControlMethods()
        methods.add(ConversationsOperation.self) { [self] _, reply in
            let answer: @Sendable () -> Void = {
                reply(.success(ConversationsReply(conversations: [Self.conversation])))
            }
            let isHeld = state.withLock { state in
                guard state.holdsNext else { return false }
                (state.holdsNext, state.release) = (false, answer)
                return true
            }
            if !isHeld { answer() }
        }
        methods.add(StatusOperation.self) { _, reply in reply(.success(Self.status)) }
        methods.add(HistoryOperation.self) { [self] operation, reply in
            let (all, isUnreadable) = state.withLock { ($0.messages, $0.isUnreadable) }
            guard !isUnreadable || operation.after == nil else {
                return reply(.failure(ControlError(.storeFailed, "The conversation is damaged.", advice: "Look.")))
            }
            let page =
                operation.around.map { id in all.filter { $0.id == id } } ?? (operation.after == "" ? all : [])
            reply(.success(HistoryReply(conversation: Self.conversation, messages: page, more: false)))
        }
        methods.add(SearchOperation.self) { [self] operation, reply in
            let word = operation.query.split(separator: "\"").first.map(String.init) ?? ""
            let hits = state.withLock { $0.messages.filter { $0.text.lowercased().contains(word) } }.map(Self.hit)
            reply(.success(SearchReply(hits: hits, found: hits.count, more: false)))
        }
        return methods
    }

    private static let status = NodeStatus(
        version: "1",
        peerID: "ada",
        replica: "r",
        name: "Ada",
        processID: 3,
        started: ControlTime(milliseconds: 9),
        port: 4747,
        listening: [],
        discovery: DiscoveryInfo(backend: .embedded, state: .running),
        dataPath: "/d",
        presence: OwnPresence(state: .online),
        counts: .init()
    )

    private static func hit(_ message: MessageInfo) -> SearchHit {
        SearchHit(
            id: message.id,
            conversation: message.conversation,
            kind: .direct,
            title: "Bob",
            sender: Person(id: "bob", displayName: "Bob"),
            time: message.time,
            excerpt: SearchHit.Excerpt(text: message.text, marks: [])
        )
    }
}
