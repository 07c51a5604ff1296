import ParlanceRecords
import ParlanceWire

/// What peers held of groups when their last links ended. Members send their receipts to the author of a log only, so
/// without this, little would be known of members that are away.
///
/// It is kept in memory only, for members alone, and of logs that are held here: as much as their receipts take. After a
/// start, receipts alone tell what somebody holds who is away.
struct LastClocks: Equatable, Sendable {
    private var groups: [ConversationID: [PeerID: [LogID: UInt64]]] = [:]

    /// The last sequences of logs that a peer held of a group; empty if no link with it has ended since the start.
    subscript(peer: PeerID, group: ConversationID) -> [LogID: UInt64] { groups[group]?[peer] ?? [:] }

    /// Notes what a member of a group told on a link that has ended.
    mutating func ended(_ clock: Clock, of peer: PeerID, in group: ConversationID, holding logs: some Sequence<LogID>) {
        let held = logs.map { ($0, clock[$0].sequence) }.filter { $0.1 > 0 }
        groups[group, default: [:]][peer] = Dictionary(uniqueKeysWithValues: held)
    }

    /// Forgets what others than the members of a group held.
    mutating func keep(_ members: Set<PeerID>, in group: ConversationID) {
        groups[group] = groups[group]?.filter { members.contains($0.key) }
        if groups[group]?.isEmpty == true { groups[group] = nil }
    }

    /// Forgets a peer.
    mutating func forget(_ peer: PeerID) {
        for group in groups.keys { groups[group]?[peer] = nil }
    }

    /// The number of sequences that are kept.
    var count: Int { groups.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } } }
}

/// What a peer has told that it holds of a conversation.
enum ToldClock {
    case present(Clock)
    case last([LogID: UInt64])

    /// The last sequence of a log; 0 if the peer told nothing of it.
    subscript(log: LogID) -> UInt64 {
        switch self {
        case .present(let clock): clock[log].sequence
        case .last(let held): held[log] ?? 0
        }
    }
}
