import ParlanceControl

/// Everything that the list at the left shows.
struct ConversationList: Equatable, Sendable {
    var conversations: [ConversationInfo] = []
    var requests: [RequestEvent] = []
    var people: [PeerInfo] = []
    /// What keeps the node from finding or reaching others, as it last said.
    var problems: [NodeStatus.Problem] = []

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
