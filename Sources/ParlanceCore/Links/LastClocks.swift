import ParlanceRecords
import ParlanceWire

/// What peers held of groups when their last links ended. Members send their receipts to the author of a log only, so
/// without this, little would be known of members that are away.
///
/// It is kept in memory only. After a start, receipts alone tell what somebody holds who is away.
struct LastClocks: Equatable, Sendable {
    private var clocks: [PeerID: [ConversationID: Clock]] = [:]

    /// What a peer held of a group; `nil` if no link with it has ended since the start.
    subscript(peer: PeerID, group: ConversationID) -> Clock? {
        guard let known = clocks[peer] else { return nil }
        return known[group]
    }

    /// Notes what a peer held when a link ended.
    ///
    /// - Parameter groups: those that the user shares with the peer. The clocks of others are dropped.
    mutating func ended(_ link: Link, sharing groups: Set<ConversationID>) {
        var known = (clocks[link.peer] ?? [:]).filter { groups.contains($0.key) }
        for (id, session) in link.sessions where groups.contains(id) {
            if let clock = session.theirs { known[id] = clock }
        }
        clocks[link.peer] = known.isEmpty ? nil : known
    }
}
