package import ParlanceWire

/// The only table of deadlines. The shell sleeps until the next one.
package struct Deadlines: Equatable, Sendable {
    /// What is due. Of keys that are due at the same moment the one that is declared first comes first, so that a seed
    /// replays to the same effects: the order of a dictionary differs in each process.
    package enum Key: Hashable, Comparable, Sendable {
        case heartbeat(LinkID)
        case silence(LinkID)
        case idle(LinkID)
        case renewal(LinkID)
        case waiting(ConversationID)
        case offline(PeerID)
        case typing(PeerID)
        case heal(ConversationID)
        case offer(ConversationID)
        case receipts(ConversationID)
        case delivery(ConversationID)
        case invite(ConversationID)
        case dial, away, lazyRows, workspaceKeys
        case courier(LinkID)
        case deposit(PeerID)
        case erasure, dialBack, sweep
        case keys(LinkID)
        case reread(LinkID)
        case strangers
        case handOn(ConversationID)
        case files, fileRate, quotas, backlogs, rotation, admission, requests
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
        return taken.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    }
}
