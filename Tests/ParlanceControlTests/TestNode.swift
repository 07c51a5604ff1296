import Dispatch
import Foundation
import ParlanceControl
import ParlanceErrorCode
import ParlanceWords
import Synchronization

/// A small node for the tests of the control interface: it keeps conversations in memory and answers from another
/// thread.
final class TestNode: NodeControl {
    struct State {
        var name = "Ada"
        var configured: ConfiguredName?
        var messages: [MessageInfo] = []
        var subscribers: [SubscriptionToken: (SubscriptionFilter, @Sendable (any ControlEvent) -> Void)] = [:]
        var lastToken: UInt64 = 0
        var isHolding = false
        var held: [@Sendable () -> Void] = []
        var handled = 0
        /// The names that people have, for `peers` with `who`.
        var named: Set<String> = ["Bob"]
        var workspace = TestWorkspace.State()
        /// The groups that are told; none: `TestGroup.crew`, whatever is asked for.
        var groups: [GroupInfo] = []
        /// Whom the last change was about, as it was asked for.
        var changed: [String] = []
        /// The conversations that are listed.
        var listed: [ConversationInfo] = []
        /// A name that nobody has.
        var unknown: String?
        /// How many messages of Bob are unread.
        var unread = 0
        /// Whether Bob gets what is sent at once.
        var isDelivering = false
        /// What faces have reported, and that they are gone.
        var reports: [ClientReport?] = []
        /// The methods that were called.
        var called: Set<String> = []
        /// Where files are written, the places that were given out there, and the files that were added.
        let shelf = NSTemporaryDirectory() + "/parlance-test-shelf-\(UUID().uuidString)"
        var prepared = 0
        /// The most bytes of a file, as programs are told.
        var fileLimit: UInt64 = 1 << 30
        var added: [[UInt8]] = []
        /// The files that messages were sent with.
        var sent: [FileToSend] = []
        /// Where whole files are, by their IDs.
        var whole: [String: String] = [:]
        /// What is told once a file is asked for, and where it is then.
        var news: [FileEvent] = []
        var arrives: String?
        /// The files of the message that is fetched; none: `TestFiles.file`.
        var fetched: [FileEntry] = []
        /// Those that are refused beside them.
        var refused: [RefusedFile] = []
        /// Changes every text of somebody else in the replies; `nil` leaves them.
        var spoil: (@Sendable (_ key: String, _ text: String) -> String)?
        /// Whether the assistant is on, with its embedding model.
        var findsByMeaning = false
        /// The events that the present operation causes.
        var events: [any ControlEvent] = []
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

    var methods: ControlMethods {
        var methods = ControlMethods()
        addOwn(to: &methods)
        addMessages(to: &methods)
        TestPeers.add(to: &methods, of: self)
        TestClearing.add(to: &methods, of: self)
        TestAssistant.add(to: &methods, of: self)
        TestGroup.add(to: &methods, of: self)
        TestWorkspace.add(to: &methods, of: self)
        TestFiles.add(to: &methods, of: self)
        return methods
    }

    /// Adds a method whose reply is computed from the state.
    func add<Operation: ControlOperation>(
        _ type: Operation.Type,
        to methods: inout ControlMethods,
        _ answer: @escaping @Sendable (Operation, inout State) throws(ControlError) -> Operation.Reply
    ) {
        methods.add(type) { [self] operation, reply in
            let (result, events) = state.withLock { state in
                state.handled += 1
                state.called.insert(Operation.method)
                let spoil = state.spoil
                let result = Result { () throws(ControlError) in
                    let reply = try answer(operation, &state)
                    return spoil.flatMap { Self.spoilt(reply, $0) } ?? reply
                }
                defer { state.events = [] }
                return (result, state.events)
            }
            give { reply(result) }
            for event in events { emit(event) }
        }
    }

    private static func spoilt<Reply: Codable>(_ reply: Reply, _ change: (String, String) -> String) -> Reply? {
        func spoilt(_ value: JSON, _ key: String) -> JSON {
            switch value {
            case .string(let text): .string(change(key, text))
            case .array(let all): .array(all.map { spoilt($0, key) })
            case .object(let members): .object(members.map { JSON.Member($0.key, spoilt($0.value, $0.key)) })
            default: value
            }
        }
        guard let whole = try? JSONValueEncoder.encode(reply) else { return nil }
        return try? JSONValueDecoder.decode(
            Reply.self,
            from: spoilt(whole, ""),
            name: "the reply",
            strict: false
        )
    }

    private func give(_ answer: @escaping @Sendable () -> Void) {
        let isHeld = state.withLock { state in
            if state.isHolding { state.held.append(answer) }
            return state.isHolding
        }
        if !isHeld { queue.async(execute: answer) }
    }

    /// Holds all replies back until `release`.
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
        deliver: @escaping @Sendable (any ControlEvent) -> Void
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

    func registerClient() -> @Sendable (ClientReport?) -> Void {
        { [self] report in state.withLock { $0.reports.append(report) } }
    }

    func emit(_ event: any ControlEvent) {
        let subscribers = state.withLock { Array($0.subscribers.values) }
        for (filter, deliver) in subscribers where filter.admits(event) { deliver(event) }
    }

    private func addOwn(to methods: inout ControlMethods) {
        add(NameOperation.self, to: &methods) { request, state in
            if let name = request.name { state.name = name }
            return NameReply(name: state.name, configured: state.configured)
        }
        add(IDOperation.self, to: &methods) { _, state in IdentityInfo(id: "adaadaad", name: state.name) }
        add(PassphraseOperation.self, to: &methods) { _, _ in DoneReply() }
        add(PresenceOperation.self, to: &methods) { request, _ in
            OwnPresence(state: request.state ?? .online, text: request.text)
        }
        add(StatusOperation.self, to: &methods) { _, _ in JSONTests.nodeStatus }
        add(StatsOperation.self, to: &methods) { _, _ in
            StatsReply(metrics: [
                Metric("parlance_batches_total", .counter, "Batches.", 3),
                Metric("parlance_outbox", .gauge, "A \\ and\na line.", [.init(2, label: "status", "a\"b\\c\n")]),
            ])
        }
        add(BackupOperation.self, to: &methods) { _, _ in
            BackupReply(copy: "/nowhere/copy", dataPath: "/nowhere", config: "/c.yaml")
        }
        add(ConfigListOperation.self, to: &methods) { _, _ in
            ConfigInfo(file: "/c.yaml", running: true, settings: [])
        }
        add(ConfigReloadOperation.self, to: &methods) { _, _ in
            ConfigReloadReply(file: "/c.yaml", applied: ["log-level", "peers"], restart: ["port"])
        }
        add(DoctorOperation.self, to: &methods) { _, _ in Findings(looked: ["mDNS works"], forks: [Self.fork]) }
    }

    private static let busy = ControlError(.busy, "Not now.", advice: "Try later.")

    private func addMessages(to methods: inout ControlMethods) {
        add(SendOperation.self, to: &methods) { request, state throws(ControlError) in
            state.sent += request.files ?? []
            return try state.send(request.text, to: request.who, hasFiles: request.files?.isEmpty == false)
        }
        add(ReplyOperation.self, to: &methods) { request, state throws(ControlError) in
            state.sent += request.files ?? []
            return try state.send("re \(request.id): \(request.text)", to: "Bob")
        }
        add(EditOperation.self, to: &methods) { request, state throws(ControlError) in
            var message = try state.last()
            message.text = request.text
            message.versions = 2
            return message
        }
        add(DeleteOperation.self, to: &methods) { _, state throws(ControlError) in
            var message = try state.last()
            message.deleted = DeletionInfo(by: state.ada, time: message.time)
            return message
        }
        add(ReactOperation.self, to: &methods) { request, state throws(ControlError) in
            var message = try state.last()
            if request.remove != true {
                message.reactions = [ReactionInfo(emoji: request.emoji, count: 1, people: [state.ada])]
            }
            return message
        }
        add(InfoOperation.self, to: &methods) { request, state throws(ControlError) in try state.life(of: request.id) }
        add(ConversationsOperation.self, to: &methods) { _, state in
            ConversationsReply(conversations: state.listed)
        }
        add(HistoryOperation.self, to: &methods) { request, state throws(ControlError) in
            guard request.who != state.unknown else {
                throw ControlError(.unknownPeer, "Nobody is called that.", advice: "Look again.")
            }
            return request.after.map { state.page(after: $0, request) } ?? state.page(request)
        }
        add(SearchOperation.self, to: &methods) { request, state in state.search(request) }
        add(ReadOperation.self, to: &methods) { _, state in
            state.unread = 0
            return ReadReply(conversation: "c1", marked: 2)
        }
        add(TypingOperation.self, to: &methods) { _, _ in DoneReply() }
        add(OutboxOperation.self, to: &methods) { _, _ in OutboxReply(items: [], total: 0) }
        add(OutboxRetryOperation.self, to: &methods) { _, _ throws(ControlError) in throw Self.busy }
        add(OutboxCancelOperation.self, to: &methods) { _, _ throws(ControlError) in throw Self.busy }
    }
}

extension TestNode.State {
    fileprivate var ada: Person { Person(id: "adaadaad", displayName: name, me: true) }

    fileprivate mutating func send(
        _ text: String,
        to who: String,
        hasFiles: Bool = false
    ) throws(ControlError) -> SendReply {
        if !hasFiles, text.allSatisfy(\.isWhitespace) {
            throw ControlError(.emptyText, "The text is empty.", advice: "Write something.")
        }
        changed = [who]
        guard ["Bob", TestNode.bob.id].contains(who) else {
            let candidate = ControlError.Candidate(id: TestNode.bob.id, displayName: "Bob \u{1B}[31m", trust: .accepted)
            throw ControlError(
                .ambiguousPeer,
                "Several peers are called \(who).",
                advice: "Use the ID.",
                candidates: [candidate]
            )
        }
        let sequence = UInt64(messages.count + 1)
        let message = MessageInfo(
            id: "m\(sequence)",
            conversation: "c1",
            sender: "adaadaad",
            senderName: name,
            mine: true,
            text: text,
            time: ControlTime(milliseconds: 1_763_689_260_000 + Int64(sequence)),
            status: .sending,
            sequence: sequence
        )
        messages.append(message)
        events.append(MessageEvent(message))
        if isDelivering {
            messages[messages.count - 1].status = .delivered
            events.append(
                StatusEvent(
                    conversation: "c1",
                    title: "Bob",
                    status: .delivered,
                    through: message.id,
                    sequence: sequence
                )
            )
        }
        var reply = SendReply(
            id: message.id,
            conversation: "c1",
            sequence: sequence,
            time: message.time,
            status: .sending
        )
        reply.connected = 1
        return reply
    }

    /// The message to which commands refer.
    fileprivate func last() throws(ControlError) -> MessageInfo {
        guard let message = messages.last else { throw Self.unknown }
        return message
    }

    fileprivate func life(of id: String) throws(ControlError) -> MessageLife {
        guard let message = messages.first(where: { $0.id == id }) else { throw Self.unknown }
        let receipt = MessageLife.Receipt(
            person: Person(id: TestNode.bob.id, displayName: "Bob"),
            delivered: message.status == .delivered,
            read: false,
            why: message.status == .delivered ? nil : "Bob is offline"
        )
        let versions = [MessageLife.Version(time: message.time, text: message.text)]
        return MessageLife(message: message, title: "Bob", recipients: [receipt], versions: versions)
    }

    private static let unknown = ControlError(.unknownMessage, "There is no such message.", advice: "Look again.")

    /// The messages that contain the query as it stands, the newest first.
    fileprivate func search(_ request: SearchOperation) -> SearchReply {
        let found = messages.reversed().compactMap { message -> SearchHit? in
            guard let range = message.text.firstRange(of: request.query) else { return nil }
            let scalars = message.text.unicodeScalars
            let from = scalars.distance(from: scalars.startIndex, to: range.lowerBound)
            return SearchHit(
                id: message.id,
                conversation: message.conversation,
                kind: .direct,
                title: "Bob",
                sender: message.mine ? ada : Person(id: "b", displayName: message.senderName),
                time: message.time,
                excerpt: .init(
                    text: message.text,
                    marks: [.init(from: from, to: from + request.query.unicodeScalars.count)]
                )
            )
        }
        let page = found.dropFirst(request.offset ?? 0).prefix(request.limit ?? SearchOperation.defaultLimit)
        var reply = SearchReply(
            hits: Array(page),
            found: found.count,
            more: (request.offset ?? 0) + page.count < found.count
        )
        if findsByMeaning, request.near == true { reply.near = TestAssistant.near }
        return reply
    }

    fileprivate func page(after id: String, _ request: HistoryOperation) -> HistoryReply {
        let rest = messages.dropFirst((messages.firstIndex { $0.id == id } ?? -1) + 1)
        let page = rest.prefix(request.limit ?? HistoryOperation.defaultLimit)
        return HistoryReply(
            conversation: ConversationInfo(id: "c1", title: "Bob", peer: TestNode.bob.id),
            messages: Array(page),
            more: page.count < rest.count
        )
    }

    fileprivate func page(_ request: HistoryOperation) -> HistoryReply {
        var page = messages.suffix(request.limit ?? HistoryOperation.defaultLimit)
        for index in page.indices.suffix(unread) { page[index].unread = true }
        return HistoryReply(
            conversation: ConversationInfo(id: "c1", title: "Bob", peer: TestNode.bob.id, unread: unread),
            messages: Array(page),
            more: page.count < messages.count
        )
    }
}
