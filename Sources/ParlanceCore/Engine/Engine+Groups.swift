import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// The members of groups, and what follows for links (groups.md; sync.md, "Invite").
extension Engine {
    /// Takes membership events that are valid by themselves.
    mutating func takeMembership(_ events: [StoredEvent], in id: ConversationID) {
        contacts.remember(conversations.takeMembership(events, in: id, &turn), &turn)
    }

    mutating func inviteReceived(_ invite: WireInvite, on id: LinkID) throws(Breach) {
        guard let link = links[id], let conversation = ConversationID(invite.conversation) else {
            throw .inviteConversation
        }
        let isAccepted = contacts.isAccepted(link.peer)
        let inviter = Conversations.Inviter(peer: link.peer, isAccepted: isAccepted)
        let events = invite.events.map { ReceivedEvent($0) }
        guard conversations.hears(inviter, of: conversation, events, identity) else { return }
        let parts = links.takeInvitation(to: conversation, on: id)
        switch try conversations.invited(to: conversation, by: inviter, events, after: parts, &turn) {
        case .members(let members): contacts.remember(members, &turn)
        case .incomplete(let parts): links.change(id) { $0.keep(parts) }
        case .nothing: break
        }
    }

    /// Invites members that still do not list a group: the member that added them has not told them.
    ///
    /// Also passes on events that came in an invitation. They may belong to a log that no member can get, since its
    /// author has left.
    mutating func inviteDue(_ id: ConversationID) {
        let isPassingOn = conversations.takeNews(of: id)
        guard let group = conversations[id]?.group else { return }
        for link in links.open where link.summaryReceived && admits(id, with: link.peer) {
            if link.sessions[id]?.isListed != true {
                links.sendInvite(to: group, on: link.id, &turn)
            } else if isPassingOn {
                links.sendNewMembership(of: group, on: link.id, &turn)
            }
        }
    }

    /// Opens a durably changed group with members that joined, and closes it with members that left.
    ///
    /// - Parameter isOwnChange: whether this node changed the group. That node tells new members. Others do so later,
    ///   if it could not.
    mutating func openGroup(_ id: ConversationID, isOwnChange: Bool) {
        guard let group = conversations[id]?.group else { return }
        lastClocks.keep(Set(group.membership.members), in: id)
        for link in links.open where group.durable.mentions(link.peer) {
            admit(link)
            if people.isWelcome(link.peer) { turn.deadlines[.idle(link.id)] = nil }
            if admits(id, with: link.peer) {
                offer(group, on: link, isOwnChange: isOwnChange)
            } else if link.sessions[id]?.isOpen == true,
                !group.durable.isMember(link.peer) || isOwnChange && !group.durable.isMember(identity)
            {
                // A removed peer is sent its removal and nothing later. A node that leaves sends its departure.
                links.sendFarewell(from: group, on: link.id, &turn)
                endSession(of: id, on: link.id)
            } else {
                endSession(of: id, on: link.id)
            }
        }
        turn.emit(.notify(.group(groupView(of: id))))
        for member in group.membership.members { remember(member) }
        sweepPictures()
        scheduleDial()
    }

    /// Invites a member that does not list the group yet.
    private mutating func offer(_ group: Group, on link: Link, isOwnChange: Bool) {
        guard link.sessions[group.id]?.isListed != true else { return askAnew(of: group.id, on: link.id) }
        if isOwnChange { links.sendInvite(to: group, on: link.id, &turn) }
        sendSummary(on: link.id, of: [group.id])
        turn.deadlines.advance(
            .invite(group.id),
            to: turn.now.monotonic + 2 * turn.random.below(Limits.healDelayMilliseconds)
        )
    }
}
