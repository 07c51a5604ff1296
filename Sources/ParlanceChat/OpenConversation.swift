import ParlanceControl

/// The conversation that is shown: the part of its history that was read from the daemon, and who types.
struct OpenConversation: Equatable, Sendable {
    /// Names it for the daemon: the ID of a group or of a person, at first what the user typed.
    var who: String
    /// Nil until the first page has come.
    var info: ConversationInfo?
    private(set) var messages: [MessageInfo] = []
    /// Whether there are older messages.
    private(set) var hasMore = false
    /// Whether older messages were asked for.
    var isLoadingOlder = false
    /// The message above which the line "New" stands, until the conversation is opened again.
    var firstNew: String?
    var group: GroupInfo?
    /// Who types here, by peer ID.
    private(set) var typing: [(peer: String, name: String)] = []

    /// Messages that are kept while the newest are shown, and how many remain when there are more.
    private static let (most, least) = (800, 500)

    init(who: String) {
        self.who = who
    }

    static func == (left: OpenConversation, right: OpenConversation) -> Bool {
        left.who == right.who && left.info == right.info && left.messages == right.messages
            && left.hasMore == right.hasMore && left.firstNew == right.firstNew && left.group == right.group
            && left.typing.map(\.peer) == right.typing.map(\.peer)
    }

    func message(_ id: String?) -> MessageInfo? { messages.first { $0.id == id } }

    /// The newest page: messages that it has replace those that were here, and what is older stays.
    mutating func received(newest page: HistoryReply) {
        info = page.conversation
        let first = page.messages.first.flatMap { first in messages.firstIndex { $0.id == first.id } }
        if let first {
            messages.replaceSubrange(first..., with: page.messages)
        } else {
            // What was here ends before the page begins, or there was nothing.
            messages = page.messages
            hasMore = page.more
        }
    }

    mutating func received(older page: HistoryReply) {
        isLoadingOlder = false
        let known = Set(messages.map(\.id))
        messages = page.messages.filter { !known.contains($0.id) } + messages
        hasMore = page.more
    }

    mutating func added(_ message: MessageInfo) {
        var message = message
        if messages.contains(where: { $0.id == message.id }) { return changed(message) }
        // An event does not say so.
        if !message.mine, message.note == nil { message.unread = true }
        messages.append(message)
        typing.removeAll { $0.peer == message.sender }
    }

    /// Forgets the oldest messages if there are many.
    mutating func shorten() {
        guard messages.count > Self.most else { return }
        messages.removeFirst(messages.count - Self.least)
        hasMore = true
    }

    /// An event about a change tells no status, so the message keeps the one that it has.
    mutating func changed(_ message: MessageInfo) {
        guard let index = messages.firstIndex(where: { $0.id == message.id }) else { return }
        let old = messages[index]
        let waited = old.waits == true && message.waits != true
        messages[index] = message
        // An event may be older than the page from which the message came.
        if let before = old.status, (message.status?.rank ?? 0) < before.rank { messages[index].status = before }
        messages[index].waitingReason = message.waitingReason ?? old.waitingReason
        messages[index].reach = message.reach ?? old.reach
        messages[index].unread = message.unread ?? old.unread
        // It has its position now, which is the last.
        if waited { messages.append(messages.remove(at: index)) }
    }

    mutating func withdrawn(_ id: String) {
        messages.removeAll { $0.id == id }
    }

    mutating func changed(_ event: StatusEvent) {
        for index in messages.indices {
            guard messages[index].mine, let status = messages[index].status,
                let sequence = messages[index].sequence, sequence <= event.sequence,
                status == .failed || status.rank < event.status.rank
            else { continue }
            messages[index].status = event.status
            messages[index].waitingReason = nil
        }
    }

    mutating func changed(_ event: TypingEvent) {
        typing.removeAll { $0.peer == event.peer }
        if event.active { typing.append((event.peer, NameText.marked(event.displayName, event.trust))) }
    }

    mutating func forgetTyping() {
        typing = []
    }

    /// The unread messages up to a place; they count as read from now on.
    ///
    /// - Returns: the message through which the user has read; nil if nothing was unread.
    mutating func read(through place: Int) -> String? {
        guard messages[...place].contains(where: { $0.unread == true }),
            let last = messages[...place].last(where: { $0.waits != true })
        else { return nil }
        for index in messages.indices where index <= place { messages[index].unread = nil }
        return last.id
    }
}

extension MessageStatus {
    /// The place in the order in which statuses follow each other.
    var rank: Int {
        switch self {
        case .failed: 0
        case .staged: 1
        case .sending: 2
        case .sent: 3
        case .delivered: 4
        case .read: 5
        }
    }
}
