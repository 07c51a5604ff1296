import Foundation
import ParlanceWire

// Telling peers who is in a group (sync.md, "Invite"). Only what is durable is told.
extension Links {
    /// Sends the membership events of a group: all of them once on each link, then those that came since.
    mutating func sendInvite(to group: Group, on id: LinkID, again: Bool = false, _ turn: inout Turn) {
        guard again || session(of: group.id, on: id)?.isInvited != true else {
            return sendNewMembership(of: group, on: id, &turn)
        }
        begin(group.id, on: id) { $0.invited() }
        sendMembership(group.durable.events, of: group, on: id, &turn)
    }

    /// Sends the membership events that came since the peer was told last.
    ///
    /// They go out before somebody else's log: the peer must know what makes its author a member.
    mutating func sendNewMembership(of group: Group, on id: LinkID, _ turn: inout Turn) {
        guard let session = session(of: group.id, on: id) else { return }
        let events = group.durable.events
        // If the last one told is not held any more, all are told again.
        let told = session.toldMembership.flatMap { last in events.lastIndex { $0.id == last } }
        let new = told.map { events[($0 + 1)...] } ?? events[...]
        guard !new.isEmpty else { return }
        sendMembership(Array(new), of: group, on: id, &turn)
    }

    /// The peer lists a group, with the hash of what it knows of the members. If that is not what is known here, it is told.
    mutating func compareMembership(_ hash: [UInt8], of group: Group, on id: LinkID, _ turn: inout Turn) {
        guard group.durable.hash == hash else { return sendInvite(to: group, on: id, &turn) }
        change(group.id, on: id) { $0.toldMembership(through: group.durable.events.last?.id) }
    }

    /// Tells a peer that one of the two is not a member any more. A removed peer learns nothing that came after its removal.
    mutating func sendFarewell(from group: Group, on id: LinkID, _ turn: inout Turn) {
        guard let peer = self[id]?.peer else { return }
        guard !group.durable.isMember(peer) else { return sendInvite(to: group, on: id, again: true, &turn) }
        begin(group.id, on: id) { $0.invited() }
        sendMembership(group.durable.farewell(to: peer), of: group, on: id, &turn)
        // If the peer comes back, it is told all.
        change(group.id, on: id) { $0.toldMembership(through: nil) }
    }

    /// The peer lists a group in which it was once, and one of the two is not a member any more. It is told that, and nothing else.
    mutating func tellRemoved(from group: Group, on id: LinkID, _ turn: inout Turn) {
        guard let peer = self[id]?.peer, group.durable.everMembers.contains(peer),
            !group.durable.isMember(peer) || !group.durable.isMember(turn.own.identity),
            // The peer was told already. What came after its removal is none of its business.
            session(of: group.id, on: id)?.isInvited != true
        else { return }
        sendFarewell(from: group, on: id, &turn)
    }

    /// What has come of an invitation to a group is not kept on the link any more.
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
