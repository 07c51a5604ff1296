import ParlanceControl
import ParlanceTerminal

@testable import ParlanceChat

/// A chat screen with what it asked for.
struct TestScreen {
    var chat: Chat
    /// The calls since the last look.
    private(set) var calls: [(operation: any ControlOperation, purpose: ChatPurpose)] = []
    private(set) var hasLeft = false
    /// The files that were sent.
    private(set) var sentFiles: [String] = []
    /// The beginnings of paths that it wanted completed.
    private(set) var listedPaths: [String] = []
    /// Whose drafts it wanted, and what it wanted kept.
    private(set) var draftOwner: String?
    var keptDrafts: [[KeptDraft]] = []
    /// The present time, in milliseconds.
    var now: Int64 = 1_763_720_000_000

    /// Whether the terminal takes what is written.
    var isWritten = true

    static let me = "adaada"
    static let start: Int64 = 1_763_716_400_000

    init(height: Int = 24, width: Int = 80, who: String? = nil, isUTF8: Bool = true, keepsDrafts: Bool = false) {
        chat = Chat(who: who, glyphs: Glyphs(isUTF8: isUTF8), clock: Self.clock(now), keepsDrafts: keepsDrafts)
        take(.resized(height: height, width: width))
    }

    static func clock(_ milliseconds: Int64) -> LocalClock {
        LocalClock(now: ControlTime(milliseconds: milliseconds)) { _ in 0 }
    }

    mutating func take(_ inputs: ChatInput...) {
        for input in inputs {
            perform(chat.handle(input, at: Self.clock(now)))
            chat.settle()
            if isWritten { perform(chat.displayed()) }
        }
    }

    private mutating func perform(_ effects: [ChatEffect]) {
        for effect in effects {
            switch effect {
            case .call(let operation, let purpose): calls.append((operation, purpose))
            case .leave: hasLeft = true
            case .readDrafts(let owner): draftOwner = owner
            case .keepDrafts(let drafts): keptDrafts.append(drafts)
            case .sendFile(let path, let who, _): sentFiles.append("\(path) to \(who)")
            case .listPaths(let typed): listedPaths.append(typed)
            case .redraw, .suspend: break
            }
        }
    }

    mutating func press(_ keys: Key...) {
        for key in keys { take(.pressed(key)) }
    }

    mutating func type(_ text: String) {
        for scalar in text.unicodeScalars { take(.pressed(.text(scalar))) }
    }

    mutating func tell(_ events: any ControlEvent...) {
        for event in events { take(.event(event)) }
    }

    /// The calls of a kind since the last look at it.
    mutating func asked<Operation: ControlOperation>(_ kind: Operation.Type) -> [Operation] {
        let found = calls.compactMap { $0.operation as? Operation }
        calls.removeAll { $0.operation is Operation }
        return found
    }

    /// The page that was asked for last.
    mutating func askedPage() -> PageRequest? {
        guard let index = calls.firstIndex(where: { $0.operation is HistoryOperation }),
            case .page(let request) = calls.remove(at: index).purpose
        else { return nil }
        return request
    }

    /// Answers a request for a page.
    mutating func answer(
        _ request: PageRequest?,
        _ messages: [MessageInfo],
        of info: ConversationInfo,
        more: Bool = false
    ) {
        guard let request else { return }
        take(.replied(.page(request), .success(HistoryReply(conversation: info, messages: messages, more: more))))
    }

    /// The moment of the deadline comes.
    mutating func pass(_ milliseconds: Int64) {
        now += milliseconds
        take(.timePassed)
    }

    /// Answers the oldest unanswered call of a kind.
    mutating func answer<Operation: ControlOperation>(_ kind: Operation.Type, _ reply: Operation.Reply) {
        guard let index = calls.firstIndex(where: { $0.operation is Operation }) else { return }
        take(.replied(calls.remove(at: index).purpose, .success(reply)))
    }

    mutating func refuse<Operation: ControlOperation>(_ kind: Operation.Type, _ failure: ControlFailure) {
        guard let index = calls.firstIndex(where: { $0.operation is Operation }) else { return }
        take(.replied(calls.remove(at: index).purpose, .failure(failure)))
    }

    /// Connects, and shows the first of some conversations with its messages.
    mutating func begin(
        _ conversations: [ConversationInfo],
        messages: [MessageInfo] = [],
        requests: [RequestEvent] = [],
        people: [PeerInfo] = [],
        more: Bool = false
    ) {
        take(.connected)
        answer(RequestsOperation.self, RequestsReply(requests: requests))
        answer(PeersOperation.self, PeersReply(peers: people))
        answer(ConversationsOperation.self, ConversationsReply(conversations: conversations))
        guard let first = conversations.first else { return }
        answer(HistoryOperation.self, HistoryReply(conversation: first, messages: messages, more: more))
    }

    /// The screen as text.
    var lines: [String] {
        let picture = chat.view()
        return (0..<picture.height).map { picture.text(row: $0) }
    }

    var text: String { lines.joined(separator: "\n") }

    // MARK: - What is on the screen

    static let bob = Person(id: "bobbob", displayName: "Bob", trust: .verified)

    static func direct(_ name: String, unread: Int = 0, presence: PresenceState = .online) -> ConversationInfo {
        var info = ConversationInfo(
            id: "c-\(name)",
            title: name,
            peer: String(repeating: name.lowercased(), count: 2),
            unread: unread,
            presence: presence
        )
        info.trust = name == "Bob" ? .verified : .accepted
        return info
    }

    static func group(_ title: String, unread: Int = 0, mentions: Int = 0) -> ConversationInfo {
        ConversationInfo(
            id: "g-\(title)",
            kind: .group,
            title: title,
            unread: unread,
            mentions: mentions,
            members: 3,
            isMember: true
        )
    }

    /// A message, so many minutes after the start.
    static func message(
        _ id: String,
        _ text: String,
        from name: String? = nil,
        in conversation: String = "c-Bob",
        minute: Int64 = 0,
        status: MessageStatus? = nil
    ) -> MessageInfo {
        var message = MessageInfo(
            id: id,
            conversation: conversation,
            sender: name.map { String(repeating: $0.lowercased(), count: 2) } ?? me,
            senderName: name ?? "Ada",
            mine: name == nil,
            text: text,
            time: ControlTime(milliseconds: start + minute * 60_000),
            status: name == nil ? status ?? .delivered : nil,
            sequence: name == nil ? UInt64(minute + 1) : nil
        )
        message.position = String(minute + 1_000_000, radix: 16) + id
        if name == "Bob" { message.senderTrust = .verified }
        return message
    }
}
