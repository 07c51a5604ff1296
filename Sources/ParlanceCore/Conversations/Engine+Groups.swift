import ParlanceWire

// Who is in which group, as the engine keeps it beside the logs (groups.md).
extension Engine {
    mutating func restoreGroups(_ snapshot: EngineSnapshot) {
        var held: [ConversationID: [StoredEvent]] = [:]
        for event in snapshot.membership { held[event.header.conversation, default: []].append(event) }
        for (id, events) in held { conversations[id]?.group?.restore(events) }
        conversations.applied(snapshot.appliedChanges)
        for branch in snapshot.branches { conversations[branch.conversation]?.restore(branch) }
        for label in snapshot.labels { conversations[label.conversation]?.group?.show(label) }
        for row in snapshot.recipients { conversations[row.conversation]?.group?.restore(row) }
    }

    /// Takes in membership events that are valid by themselves, whether from a log or an invitation.
    mutating func takeMembership(_ events: [StoredEvent], in id: ConversationID) {
        for member in conversations[id]?.takeMembership(events, &turn) ?? [] {
            contacts.rememberMember(member.peer, called: member.name, &turn)
        }
    }

    /// Whether one is a member oneself.
    func isMember(of conversation: Conversation) -> Bool {
        conversation.group?.membership.isMember(identity) ?? true
    }

    /// Whom own messages are for, in the order of their IDs.
    func recipients(of conversation: Conversation) -> [PeerID] {
        switch conversation.record.kind {
        case .direct(let peer): [peer]
        case .group:
            isMember(of: conversation)
                ? conversation.group?.membership.members.filter { $0 != identity } ?? [] : []
        }
    }

    /// Who does not list a group that it is in has not been told of it by whoever brought it in.
    ///
    /// What came in an invitation may stand in a log that nobody gets, since who wrote it has left: then it is passed on.
    mutating func inviteDue(_ id: ConversationID) {
        let isPassingOn = conversations[id]?.group?.takeNews() == true
        for link in links.open where link.summaryReceived {
            guard admits(id, with: link.peer) else { continue }
            guard link.sessions[id]?.isListed == true else {
                sendInvite(to: id, on: link.id)
                continue
            }
            if isPassingOn && link.sessions[id]?.isOpen == true { sendNewMembership(of: id, on: link.id) }
        }
    }

    /// A group changed, durably: it is opened with those who joined and closed with those who went.
    ///
    /// - Parameter isOwnChange: who changes a group tells those who are new in it; others do only if that one could not.
    mutating func openGroup(_ id: ConversationID, isOwnChange: Bool) {
        guard let conversation = conversations[id], let group = conversation.group else { return }
        for link in links.open {
            let wasMember = group.durable.everMembers.contains(link.peer)
            guard wasMember else { continue }
            turn.emit(.admit(link.id, accepted: isWelcome(link.peer)))
            if isWelcome(link.peer) { turn.deadlines[.idle(link.id)] = nil }
            if admits(id, with: link.peer) {
                guard link.sessions[id]?.isListed != true else {
                    askAnew(of: id, on: link.id)
                    continue
                }
                if isOwnChange { sendInvite(to: id, on: link.id) }
                sendSummary(on: link.id, of: [id])
                turn.deadlines.advance(
                    .invite(id),
                    to: turn.now.monotonic + 2 * turn.random.below(Limits.healDelayMilliseconds)
                )
            } else if link.sessions[id]?.isOpen == true,
                !group.durable.isMember(link.peer) || isOwnChange && !group.durable.isMember(identity)
            {
                // Who was removed is told so, and nothing after it; who leaves says so.
                sendFarewell(from: id, on: link.id)
                dropSync(of: id, on: link.id)
            } else {
                dropSync(of: id, on: link.id)
            }
        }
        turn.emit(.notify(.group(groupView(of: id))))
        for member in group.membership.members { remember(member) }
        scheduleDial()
    }
}
