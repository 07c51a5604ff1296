import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// The members of a group, as far as one conversation alone decides it (groups.md).
extension Conversation {
    /// A present or former member, with the name given in the addition.
    struct NamedMember: Equatable {
        var peer: PeerID
        var name: String?
        /// Whether it was no member before the events that name it.
        var isNew: Bool
    }

    /// Whether this node is a member.
    func isMember(_ identity: PeerID) -> Bool { group?.membership.isMember(identity) ?? true }

    /// Recipients of our own messages, in the order of their IDs.
    func recipients(_ identity: PeerID) -> [PeerID] {
        switch record.kind {
        case .direct(let peer): [peer]
        case .group:
            isMember(identity) ? group?.membership.members.filter { $0 != identity } ?? [] : []
        }
    }

    /// Takes membership events that are valid by themselves, from a log or an invitation.
    ///
    /// - Returns: everybody whom the events held now name, in order; empty if no event was new.
    mutating func takeMembership(_ events: [StoredEvent], _ turn: inout Turn) -> [NamedMember] {
        guard !events.isEmpty, let before = group?.membership, group?.insert(events) == true,
            let membership = group?.membership
        else {
            return []
        }
        let identity = turn.own.identity
        turn.batch.groups[id] = membership
        let own = logs[turn.own.log]?.held.sequence ?? 0
        for peer in membership.members where peer != identity && !before.isMember(peer) {
            group?.join(peer, after: own)
            turn.batch.rows.recipients.append(RecipientRecord(conversation: id, peer: peer, after: own))
        }
        turn.whenDurable(.openGroup(id, isOwnChange: events.contains { $0.header.log.author == identity }))
        let knew = before.everMembers
        return membership.everMembers.filter { $0 != identity }
            .map { NamedMember(peer: $0, name: membership.names[$0], isNew: !knew.contains($0)) }
    }
}
