import Dispatch
import ParlanceControl
import Synchronization

/// A small node for the tests of its interface: it keeps conversations in memory and answers from another thread.
final class TestNode: NodeControl {
    struct State {
        var name = "Ada"
        var messages: [MessageInfo] = []
        var subscribers: [SubscriptionToken: (SubscriptionFilter, @Sendable (ControlEvent) -> Void)] = [:]
        var lastToken: UInt64 = 0
        var isHolding = false
        var held: [@Sendable () -> Void] = []
        var handled = 0
    }

    static let fork = ForkInfo(
        conversation: "c",
        title: "Crew",
        author: Person(id: "b", displayName: "Bob"),
        after: 3,
        branches: [ForkInfo.Branch(first: "f1", proof: "0a"), ForkInfo.Branch(first: "f2", proof: "0b")]
    )
    static let bob = PeerInfo(
        id: "bobbobbobbobbob2bobbobbobbobbob2bobbobbobbobbob2bobbobbo",
        name: "Bob",
        displayName: "Bob",
        trust: .accepted,
        nearby: true,
        connected: true,
        addresses: ["127.0.0.1:4747"],
        presence: .online
    )

    let state = Mutex(State())
    private let queue = DispatchQueue(label: "test node")

    func handle(_ request: ControlRequest, reply: @escaping @Sendable (Result<ControlReply, ControlError>) -> Void) {
        let (result, events) = state.withLock { state in
            state.handled += 1
            return Self.answer(request, &state)
        }
        let answer: @Sendable () -> Void = { reply(result) }
        let isHeld = state.withLock { state in
            if state.isHolding { state.held.append(answer) }
            return state.isHolding
        }
        if !isHeld { queue.async(execute: answer) }
        for event in events { emit(event) }
    }

    /// From now on requests get no answer until `release`.
    func hold() {
        state.withLock { $0.isHolding = true }
    }

    func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            state.isHolding = false
            return state.held
        }
        for answer in held { answer() }
    }

    var handled: Int { state.withLock { $0.handled } }
    var subscriberCount: Int { state.withLock { $0.subscribers.count } }

    func subscribe(
        _ filter: SubscriptionFilter,
        deliver: @escaping @Sendable (ControlEvent) -> Void
    ) -> SubscriptionToken {
        state.withLock { state in
            state.lastToken += 1
            let token = SubscriptionToken(rawValue: state.lastToken)
            state.subscribers[token] = (filter, deliver)
            return token
        }
    }

    func unsubscribe(_ token: SubscriptionToken) {
        state.withLock { $0.subscribers[token] = nil }
    }

    func emit(_ event: ControlEvent) {
        let subscribers = state.withLock { Array($0.subscribers.values) }
        for (filter, deliver) in subscribers where filter.admits(event) { deliver(event) }
    }

    private static func answer(
        _ request: ControlRequest,
        _ state: inout State
    ) -> (Result<ControlReply, ControlError>, [ControlEvent]) {
        switch request {
        case .name(let request):
            if let name = request.name { state.name = name }
            return (.success(.name(NameReply(name: state.name))), [])
        case .identity: return (.success(.identity(IdentityInfo(id: "adaadaad", name: state.name))), [])
        case .peers: return (.success(.peers(PeersReply(peers: [bob]))), [])
        case .send(let request): return send(request, &state)
        case .history(let request): return (history(request, state), [])
        case .outbox: return (.success(.outbox(OutboxReply(items: [], total: 0))), [])
        case .typing, .forget, .passphrase: return (.success(.done), [])
        case .courier, .accept, .decline, .block, .unblock, .alias: return (.success(.peer(bob)), [])
        case .requests, .verify: return (TestTrust.answer(request), [])
        case .presence(let request):
            return (.success(.presence(OwnPresence(state: request.state ?? .online, text: request.text))), [])
        case .conversations: return (.success(.conversations(ConversationsReply(conversations: []))), [])
        case .read: return (.success(.read(ReadReply(conversation: "c1", marked: 2))), [])
        case .reply(let request):
            return send(SendRequest(who: "Bob", text: "re \(request.id): \(request.text)"), &state)
        case .edit, .delete, .react: return (message(request, state), [])
        case .info(let request): return (life(request, state), [])
        case .doctor: return (.success(.findings(Findings(looked: ["mDNS works"], forks: [Self.fork]))), [])
        case .groupCreate, .groupShow, .groupAdd, .groupRemove, .groupAdmin, .groupLeave, .groupRename, .groupTopic:
            return (TestGroup.answer(request), [])
        case .workspaceCreate, .workspaceJoin, .workspaceShow, .workspaceLeave, .workspaceRotate:
            return (TestWorkspace.answer(request), [])
        case .status, .outboxRetry, .outboxCancel:
            return (.failure(ControlError(.busy, "Not now.", advice: "Try later.")), [])
        }
    }

    private static func send(
        _ request: SendRequest,
        _ state: inout State
    ) -> (Result<ControlReply, ControlError>, [ControlEvent]) {
        if request.text.allSatisfy(\.isWhitespace) {
            return (.failure(ControlError(.emptyText, "The text is empty.", advice: "Write something.")), [])
        }
        guard request.who == "Bob" else {
            let candidates = [ControlError.Candidate(id: bob.id, displayName: "Bob \u{1B}[31m", trust: .accepted)]
            let error = ControlError(
                .ambiguousPeer,
                "Several peers are called \(request.who).",
                advice: "Use the ID.",
                candidates: candidates
            )
            return (.failure(error), [])
        }
        let sequence = UInt64(state.messages.count + 1)
        let message = MessageInfo(
            id: "m\(sequence)",
            conversation: "c1",
            sender: "adaadaad",
            senderName: state.name,
            mine: true,
            text: request.text,
            time: ControlTime(milliseconds: 1_763_689_260_000 + Int64(sequence)),
            status: .sending,
            sequence: sequence
        )
        state.messages.append(message)
        let reply = SendReply(
            id: message.id,
            conversation: "c1",
            sequence: sequence,
            time: message.time,
            status: .sending
        )
        return (.success(.sent(reply)), [.message(message)])
    }

    /// The last message, with what a command does to it.
    private static func message(_ request: ControlRequest, _ state: State) -> Result<ControlReply, ControlError> {
        guard var message = state.messages.last else {
            return .failure(ControlError(.unknownMessage, "There is no such message.", advice: "Look again."))
        }
        let ada = Person(id: "adaadaad", displayName: state.name, me: true)
        switch request {
        case .edit(let edit):
            message.text = edit.text
            message.versions = 2
        case .delete: message.deleted = DeletionInfo(by: ada, time: message.time)
        case .react(let reaction) where reaction.remove != true:
            message.reactions = [ReactionInfo(emoji: reaction.emoji, count: 1, people: [ada])]
        default: break
        }
        return .success(.message(message))
    }

    private static func life(_ request: MessageRequest, _ state: State) -> Result<ControlReply, ControlError> {
        guard let message = state.messages.first(where: { $0.id == request.id }) else {
            return .failure(ControlError(.unknownMessage, "There is no such message.", advice: "Look again."))
        }
        let receipt = MessageLife.Receipt(
            person: Person(id: bob.id, displayName: "Bob"),
            delivered: false,
            read: false,
            why: "Bob is offline"
        )
        let versions = [MessageLife.Version(time: message.time, text: message.text)]
        return .success(
            .life(MessageLife(message: message, title: "Bob", recipients: [receipt], versions: versions))
        )
    }

    private static func history(_ request: HistoryRequest, _ state: State) -> Result<ControlReply, ControlError> {
        let conversation = ConversationInfo(id: "c1", title: "Bob", peer: bob.id)
        let page = state.messages.suffix(request.limit ?? HistoryRequest.defaultLimit)
        let reply = HistoryReply(
            conversation: conversation,
            messages: Array(page),
            more: page.count < state.messages.count
        )
        return .success(.history(reply))
    }
}
