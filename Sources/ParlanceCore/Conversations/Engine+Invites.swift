import Foundation
import ParlanceWire

// Telling and learning who is in a group (sync.md, "Invite").
extension Engine {
    /// Sends the membership events of a group: all, once on a link, then those that came since.
    mutating func sendInvite(to id: ConversationID, on link: LinkID, again: Bool = false) {
        guard let group = conversations[id]?.group else { return }
        guard again || links.session(of: id, on: link)?.isInvited != true else {
            return sendNewMembership(of: id, on: link)
        }
        links.begin(id, on: link) { $0.invited() }
        sendMembership(group.durable.events, of: id, on: link)
    }

    /// Tells somebody that one of the two is a member no more: who was removed learns nothing that came after it.
    mutating func sendFarewell(from id: ConversationID, on link: LinkID) {
        guard let group = conversations[id]?.group, let peer = links[link]?.peer else { return }
        guard !group.durable.isMember(peer) else { return sendInvite(to: id, on: link, again: true) }
        links.begin(id, on: link) { $0.invited() }
        sendMembership(group.durable.farewell(to: peer), of: id, on: link)
        // If it comes back it is told all.
        links.change(id, on: link) { $0.toldMembership(through: nil) }
    }

    /// Before somebody else's log goes out, the other side must know what makes that one a member.
    mutating func sendNewMembership(of id: ConversationID, on link: LinkID) {
        guard let events = conversations[id]?.group?.durable.events, let session = links.session(of: id, on: link)
        else { return }
        // If that one is not held any more, all are told again.
        let told = session.toldMembership.flatMap { last in events.lastIndex { $0.id == last } }
        let new = told.map { events[($0 + 1)...] } ?? events[...]
        guard !new.isEmpty else { return }
        sendMembership(Array(new), of: id, on: link)
    }

    private mutating func sendMembership(_ events: [StoredEvent], of id: ConversationID, on link: LinkID) {
        var invite = WireInvite()
        invite.conversation = Data(id.bytes)
        var bytes = 0
        for event in events {
            if bytes + event.byteCount > Limits.runBytes && !invite.events.isEmpty {
                send(.invite(invite), on: link)
                invite.events = []
                bytes = 0
            }
            invite.events.append(event.wire)
            bytes += event.byteCount
        }
        send(.invite(invite), on: link)
        let last = conversations[id]?.group?.durable.events.last?.id
        links.change(id, on: link) { $0.toldMembership(through: last) }
    }

    mutating func inviteReceived(_ invite: WireInvite, on link: LinkID) {
        guard let peer = links[link]?.peer, let id = ConversationID(invite.conversation) else {
            return breakLink(link, .inviteConversation)
        }
        let held = conversations[id]?.group?.membership ?? Membership()
        guard isHeard(invite, from: peer, held) else { return }
        // To somebody new a long invitation comes in parts, which say only together who is a member.
        var parts = takeParts(of: id, on: link)
        let before = parts.events.count
        for wire in invite.events {
            let event = EventID(hashing: [UInt8](wire.header))
            guard !held.contains(event), !parts.contains(event) else { continue }
            do {
                var event = try RunVerifier.verify(single: ReceivedEvent(wire), in: id)
                event.arrive(at: turn.now.wall)
                parts.add(event)
            } catch {
                return breakLink(link, error.breach)
            }
        }
        let new = parts.events
        guard !new.isEmpty else { return }
        if conversations[id] == nil {
            // They are evaluated if something has come, and if they can make one a member.
            guard new.count > before, parts.people.contains(identity), isInvited(by: peer, Membership(new)) else {
                return keep(parts, on: link)
            }
            conversations.create(ConversationRecord(id: id, kind: .group), &turn)
        }
        var together = held
        together.insert(new)
        guard conversations[id]?.group != nil,
            held.isMember(peer) || together.isMember(peer) || isAccepted(peer)
        else { return }
        // What somebody wrote whom no member has named is nothing to this group.
        let taken = new.filter { event in
            together.contains(event.id) && !held.contains(event.id) && together.mentions(event.header.log.author)
        }
        turn.batch.membership += taken
        takeMembership(taken, in: id)
        if !taken.isEmpty { turn.whenDurable(.passOn(id)) }
    }

    /// Whether what somebody tells of a group is looked at: a member's word and an accepted peer's, and that of somebody
    /// who says that it is a member, or brings back what one wrote oneself. What anybody else says is not even verified.
    private func isHeard(_ invite: WireInvite, from peer: PeerID, _ held: Membership) -> Bool {
        guard !isAccepted(peer), !held.isMember(peer) else { return true }
        let claimed = invite.events.compactMap { RunVerifier.claimed(ReceivedEvent($0)) }
        guard !held.events.isEmpty else { return claimed.contains { $0.header.log.author == identity } }
        var together = held
        together.insert(claimed)
        return together.isMember(peer)
    }

    /// What is kept of an invitation to a group, which is not kept then.
    private mutating func takeParts(of id: ConversationID, on link: LinkID) -> InvitationParts {
        guard let parts = links[link]?.invitation, parts.group == id else { return InvitationParts(id) }
        links[link]?.invitation = nil
        return parts
    }

    /// Keeps parts of an invitation until the rest has come, from people one knows.
    private mutating func keep(_ parts: InvitationParts, on link: LinkID) {
        guard let peer = links[link]?.peer, isAccepted(peer), parts.isWithinBounds else { return }
        // One at a time: the parts of one follow each other.
        links[link]?.invitation = parts
    }

    /// An invitation is taken from an accepted peer, or from anybody if one has written in that group oneself: then the own
    /// store was lost.
    private func isInvited(by peer: PeerID, _ membership: Membership) -> Bool {
        guard membership.isMember(identity) else { return false }
        return isAccepted(peer)
            || membership.events.contains { $0.header.log.author == identity }
    }
}
