package import ParlanceWire

/// The only table of deadlines. The shell sleeps until the next one.
package struct Deadlines: Equatable, Sendable {
    package enum Key: Hashable, Sendable {
        case heartbeat(LinkID)
        case silence(LinkID)
        case idle(LinkID)
        case renewal(LinkID)
        case offline(PeerID)
        case typing(PeerID)
        case heal(ConversationID)
        case invite(ConversationID)
        case offer(ConversationID)
        case receipts(ConversationID)
        case handOn(ConversationID)
        case delivery(ConversationID)
        case waiting(ConversationID)
        case courier(LinkID)
        case deposit(PeerID)
        case keys(LinkID)
        case reread(LinkID)
        case dial, away, lazyRows, workspaceKeys, erasure, dialBack, sweep, strangers, files, fileRate, quotas, backlogs
        case rotation, admission, requests
    }

    private var due: [Key: Int64] = [:]

    package init() {}

    /// Monotonic milliseconds of the next deadline.
    package var next: Int64? { due.values.min() }

    package var count: Int { due.count }

    package subscript(key: Key) -> Int64? {
        get { due[key] }
        set { due[key] = newValue }
    }

    /// Sets a deadline, unless an earlier one is set.
    package mutating func advance(_ key: Key, to moment: Int64) {
        due[key] = min(due[key] ?? moment, moment)
    }

    /// Removes the deadlines of a conversation.
    mutating func drop(_ conversation: ConversationID) {
        let keys: [Key] = [
            .heal(conversation), .invite(conversation), .offer(conversation), .receipts(conversation),
            .handOn(conversation), .delivery(conversation), .waiting(conversation),
        ]
        for key in keys { due[key] = nil }
    }

    /// Removes and returns the keys that are due, the earliest first.
    package mutating func takeDue(at moment: Int64) -> [Key] {
        let taken = due.filter { $0.value <= moment }
        for key in taken.keys { due[key] = nil }
        return taken.sorted { ($0.value, $0.key.rank) < ($1.value, $1.key.rank) }.map(\.key)
    }
}

extension Deadlines.Key {
    /// A total order, so that a seed replays to the same effects: the order of a dictionary differs in each process.
    fileprivate var rank: Rank {
        switch self {
        case .heartbeat(let link): Rank(kind: 0, number: link.value)
        case .silence(let link): Rank(kind: 1, number: link.value)
        case .idle(let link): Rank(kind: 2, number: link.value)
        case .renewal(let link): Rank(kind: 3, number: link.value)
        case .offline(let peer): Rank(kind: 5, name: peer.value)
        case .typing(let peer): Rank(kind: 6, name: peer.value)
        case .heal(let conversation): Rank(kind: 7, name: conversation.value)
        case .offer(let conversation): Rank(kind: 8, name: conversation.value)
        case .receipts(let conversation): Rank(kind: 9, name: conversation.value)
        case .delivery(let conversation): Rank(kind: 10, name: conversation.value)
        case .invite(let conversation): Rank(kind: 11, name: conversation.value)
        case .waiting(let conversation): Rank(kind: 4, name: conversation.value)
        case .dial: Rank(kind: 12)
        case .away: Rank(kind: 13)
        case .lazyRows: Rank(kind: 14)
        case .workspaceKeys: Rank(kind: 15)
        case .courier(let link): Rank(kind: 16, number: link.value)
        case .deposit(let peer): Rank(kind: 17, name: peer.value)
        case .erasure: Rank(kind: 18)
        case .dialBack: Rank(kind: 24)
        case .sweep: Rank(kind: 25)
        case .keys(let link): Rank(kind: 26, number: link.value)
        case .reread(let link): Rank(kind: 27, number: link.value)
        case .strangers: Rank(kind: 28)
        case .files: Rank(kind: 30)
        case .fileRate: Rank(kind: 31)
        case .quotas: Rank(kind: 32)
        case .backlogs: Rank(kind: 33)
        case .rotation: Rank(kind: 34)
        case .admission: Rank(kind: 35)
        case .requests: Rank(kind: 36)
        case .handOn(let conversation): Rank(kind: 29, name: conversation.value)
        }
    }

    fileprivate struct Rank: Comparable {
        var kind: Int
        var number: UInt64 = 0
        var name = Bytes32.zero

        static func < (a: Rank, b: Rank) -> Bool { (a.kind, a.number, a.name) < (b.kind, b.number, b.name) }
    }
}
