import FoundationEssentials
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Telling peers who is in a group (sync.md, "Invite"). Only durable events are sent.
extension Links {
    /// Sends the membership events of a group: all of them once per link, then the new ones.
    mutating func sendInvite(to group: Group, on id: LinkID, again: Bool = false, _ turn: inout Turn) {
        guard again || session(of: group.id, on: id)?.isInvited != true else {
            return sendNewMembership(of: group, on: id, &turn)
        }
        begin(group.id, on: id) { $0.invited() }
        sendMembership(group.durable.events, of: group, on: id, &turn)
    }

    /// Sends the membership events that came since the peer was sent the last ones.
    ///
    /// They precede another author's log: the peer needs them to know that the author is a member.
    mutating func sendNewMembership(of group: Group, on id: LinkID, _ turn: inout Turn) {
        guard let session = session(of: group.id, on: id) else { return }
        let events = group.durable.events
        // If the last event sent is no longer held, all are sent again.
        let told = session.toldMembership.flatMap { last in events.lastIndex { $0.id == last } }
        let new = told.map { events[($0 + 1)...] } ?? events[...]
        guard !new.isEmpty else { return }
        sendMembership(Array(new), of: group, on: id, &turn)
    }

    /// Sends the membership events if the hash that the peer listed differs from ours.
    mutating func compareMembership(_ hash: [UInt8], of group: Group, on id: LinkID, _ turn: inout Turn) {
        guard group.durable.hash == hash else { return sendInvite(to: group, on: id, &turn) }
        change(group.id, on: id) { $0.toldMembership(through: group.durable.events.last?.id) }
    }

    /// Tells a peer that it or this user has left the group. A removed peer is sent nothing later than its removal.
    mutating func sendFarewell(from group: Group, on id: LinkID, _ turn: inout Turn) {
        guard let peer = self[id]?.peer else { return broken("a farewell is sent on an open link") }
        guard !group.durable.isMember(peer) else { return sendInvite(to: group, on: id, again: true, &turn) }
        begin(group.id, on: id) { $0.invited() }
        sendMembership(group.durable.farewell(to: peer), of: group, on: id, &turn)
        // If the peer rejoins, it is sent all events.
        change(group.id, on: id) { $0.toldMembership(through: nil) }
    }

    /// Sends the farewell to a former member that still lists a group, or to any member if this user has left. Nothing
    /// else is sent.
    mutating func tellRemoved(from group: Group, on id: LinkID, _ turn: inout Turn) {
        guard let peer = self[id]?.peer, group.durable.mentions(peer),
            !group.durable.isMember(peer) || !group.durable.isMember(turn.own.identity),
            // The peer was told already. It must not learn what followed its removal.
            session(of: group.id, on: id)?.isInvited != true
        else { return }
        sendFarewell(from: group, on: id, &turn)
    }

    /// Removes the parts of an incomplete invitation to a group from the link.
    mutating func takeInvitation(to group: ConversationID, on id: LinkID) -> InvitationParts? {
        change(id) { $0.takeInvitation(to: group) } ?? nil
    }

    private mutating func sendMembership(
        _ events: [StoredEvent],
        of group: Group,
        on id: LinkID,
        _ turn: inout Turn
    ) {
        var invite = WireInvite()
        invite.conversation = Data(group.id.bytes)
        var bytes = 0
        for event in events {
            if bytes + event.byteCount > Limits.runBytes && !invite.events.isEmpty {
                send(.invite(invite), on: id, &turn)
                invite.events = []
                bytes = 0
            }
            invite.events.append(event.wire)
            bytes += event.byteCount
        }
        send(.invite(invite), on: id, &turn)
        change(group.id, on: id) { $0.toldMembership(through: group.durable.events.last?.id) }
    }
}
