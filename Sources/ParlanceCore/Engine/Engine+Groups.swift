import ParlanceWire

// Who is in which group, and what its links are for then (groups.md; sync.md, "Invite").
extension Engine {
    /// Takes in membership events that are valid by themselves.
    mutating func takeMembership(_ events: [StoredEvent], in id: ConversationID) {
        for member in conversations.takeMembership(events, in: id, &turn) {
            contacts.rememberMember(member.peer, called: member.name, &turn)
        }
    }

    mutating func inviteReceived(_ invite: WireInvite, on id: LinkID) {
        guard let link = links[id], let conversation = ConversationID(invite.conversation) else {
            return breakLink(id, .inviteConversation)
        }
        let isAccepted = contacts.isAccepted(link.peer)
        let inviter = Conversations.Inviter(peer: link.peer, isAccepted: isAccepted)
        let events = invite.events.map { ReceivedEvent($0) }
        guard conversations.hears(inviter, of: conversation, events, identity) else { return }
        let parts = links.takeInvitation(to: conversation, on: id)
        switch conversations.invited(to: conversation, by: inviter, events, after: parts, &turn) {
        case .members(let members):
            for member in members { contacts.rememberMember(member.peer, called: member.name, &turn) }
        case .incomplete(let parts): links.change(id) { $0.keep(parts) }
        case .broken(let rule): breakLink(id, rule)
        case .nothing: break
        }
    }

    /// A peer that does not list a group that it is in has not been told of it by the member that added it.
    ///
    /// What came in an invitation may stand in a log that nobody gets, since its author has left: then it is passed on.
    mutating func inviteDue(_ id: ConversationID) {
        let isPassingOn = conversations.takeNews(of: id)
        guard let group = conversations[id]?.group else { return }
        for link in links.open where link.summaryReceived && admits(id, with: link.peer) {
            if link.sessions[id]?.isListed != true {
                links.sendInvite(to: group, on: link.id, &turn)
            } else if isPassingOn && link.sessions[id]?.isOpen == true {
                links.sendNewMembership(of: group, on: link.id, &turn)
            }
        }
    }

    /// A group changed, durably: it is opened with those who joined and closed with those who went.
    ///
    /// - Parameter isOwnChange: the node that changes a group tells those who are new in it; others do only if that one could not.
    mutating func openGroup(_ id: ConversationID, isOwnChange: Bool) {
        guard let group = conversations[id]?.group else { return }
        for link in links.open where group.durable.everMembers.contains(link.peer) {
            let isWelcome = people.isWelcome(link.peer)
            turn.emit(.admit(link.id, accepted: isWelcome))
            if isWelcome { turn.deadlines[.idle(link.id)] = nil }
            if admits(id, with: link.peer) {
                offer(group, on: link, isOwnChange: isOwnChange)
            } else if link.sessions[id]?.isOpen == true,
                !group.durable.isMember(link.peer) || isOwnChange && !group.durable.isMember(identity)
            {
                // A removed peer is told so, and nothing after it; a node that leaves says so.
                links.sendFarewell(from: group, on: link.id, &turn)
                endSession(of: id, on: link.id)
            } else {
                endSession(of: id, on: link.id)
            }
        }
        turn.emit(.notify(.group(groupView(of: id))))
        for member in group.membership.members { remember(member) }
        scheduleDial()
    }

    /// The peer of a link is a member: it is invited, unless it takes the group already.
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
