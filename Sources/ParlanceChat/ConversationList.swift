import ParlanceControl
import ParlanceTerminal

/// The list at the left: everything that it shows, and the cursor in it.
struct ConversationList: Equatable, Sendable {
    var conversations: [ConversationInfo] = []
    var requests: [RequestEvent] = []
    var people: [PeerInfo] = []
    /// What keeps the node from finding or reaching others, as it last said.
    var problems: [NodeStatus.Problem] = []
    /// Whether keys go to it.
    private(set) var isFocused = false
    /// The entry under the cursor.
    private(set) var cursor: String?

    /// The problem to show: one that somebody must act on, else the first.
    var problem: NodeStatus.Problem? { problems.first { $0.severity == .problem } ?? problems.first }

    /// The conversations, then who asks to talk, then who is near and is neither.
    var entries: [ListEntry] {
        let asking = Set(requests.map(\.peer))
        let shown = conversations.filter { info in
            (info.isMember != false || info.unread > 0) && !asking.contains(info.peer ?? "")
        }
        let known = asking.union(conversations.compactMap(\.peer))
        let near = people.filter { ($0.nearby || $0.connected) && $0.trust != .blocked && !known.contains($0.id) }
        return shown.map(ListEntry.conversation) + requests.map(ListEntry.request) + near.map(ListEntry.nearby)
    }

    /// The IDs of people and groups that have the name of another one.
    var alike: Set<String> {
        let names = Dictionary(grouping: entries) { $0.name.lowercased() }
        return Set(names.values.filter { $0.count > 1 }.joined().map(\.who))
    }

    /// What names each of them for the daemon.
    var names: [String] {
        let alike = alike
        return entries.map { alike.contains($0.who) ? $0.who : $0.name }
    }

    func entry(_ who: String?) -> ListEntry? { entries.first { $0.who == who } }

    func conversation(_ id: String) -> ConversationInfo? { conversations.first { $0.id == id } }

    /// How many people have a link to this node.
    var connected: Int { people.count(where: \.connected) }

    // MARK: - The cursor

    /// - Parameter who: the open conversation, where the cursor begins.
    mutating func focus(from who: String?) {
        isFocused = true
        cursor = who ?? entries.first?.who
    }

    mutating func leave() {
        isFocused = false
    }

    /// What became of a key.
    enum Answer {
        case taken
        /// This conversation is to be opened.
        case opens(String)
        /// It is for the line.
        case left
    }

    mutating func press(_ key: Key) -> Answer {
        let entries = entries
        let place = entries.firstIndex { $0.who == cursor } ?? 0
        switch key {
        case .named(.up, _): cursor = entries.isEmpty ? nil : entries[max(0, place - 1)].who
        case .named(.down, _): cursor = entries.isEmpty ? nil : entries[min(entries.count - 1, place + 1)].who
        case .named(.home, _): cursor = entries.first?.who
        case .named(.end, _): cursor = entries.last?.who
        case .named(.enter, _), .named(.right, _):
            leave()
            if let cursor, entry(cursor) != nil { return .opens(cursor) }
        case .named(.tab, _), .named(.backTab, _): leave()
        default:
            leave()
            return .left
        }
        return .taken
    }

    /// The entry that is so many places below a conversation; the first if that is not in the list.
    func entry(_ step: Int, below who: String?) -> ListEntry? {
        let entries = entries
        guard let last = entries.indices.last else { return nil }
        let present = entries.firstIndex { $0.who == who }
        return entries[present.map { max(0, min(last, $0 + step)) } ?? 0]
    }

    // MARK: - Events

    mutating func changed(_ peer: PeerInfo) {
        if let index = people.firstIndex(where: { $0.id == peer.id }) {
            people[index] = peer
        } else {
            people.append(peer)
        }
        for index in conversations.indices where conversations[index].peer == peer.id {
            conversations[index].title = peer.displayName
            conversations[index].trust = peer.trust
        }
    }

    mutating func changed(_ event: PresenceEvent) {
        for index in people.indices where people[index].id == event.peer {
            people[index].presence = event.presence
            people[index].statusText = event.statusText
            people[index].lastSeen = event.lastSeen
        }
        for index in conversations.indices where conversations[index].peer == event.peer {
            conversations[index].presence = event.presence
        }
    }
}
