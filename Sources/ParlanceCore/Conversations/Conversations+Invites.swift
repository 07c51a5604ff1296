import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Learning who is in a group (sync.md, "Invite").
extension Conversations {
    /// A peer that tells of a group.
    struct Inviter {
        var peer: PeerID
        var isAccepted: Bool
    }

    /// Takes membership events that are valid by themselves, from a log or an invitation.
    ///
    /// - Returns: everybody whom the events held now name, in order; empty if no event was new.
    mutating func takeMembership(
        _ events: [StoredEvent],
        in id: ConversationID,
        _ turn: inout Turn
    ) -> [Conversation.NamedMember] {
        changeMembers(id) { $0.takeMembership(events, &turn) } ?? []
    }

    /// Whether to examine an invitation. Yes if the peer is accepted or a member. Otherwise, if events of the group are
    /// held, only if the invitation's events could make the peer a member; if none are held, only if one of its events
    /// claims this node as its author. Other invitations are not even verified.
    func hears(_ inviter: Inviter, of id: ConversationID, _ events: [ReceivedEvent], _ identity: PeerID) -> Bool {
        let held = self[id]?.group?.membership ?? Membership()
        guard !inviter.isAccepted, !held.isMember(inviter.peer) else { return true }
        let claimed = events.compactMap { RunVerifier.claimed($0) }
        guard !held.events.isEmpty else { return claimed.contains { $0.header.log.author == identity } }
        var together = held
        together.insert(claimed)
        return together.isMember(inviter.peer)
    }

    /// Takes an invitation from a peer that `hears` admits.
    ///
    /// - Parameter kept: the parts of it that came before. A new member gets a long invitation in parts, which show
    ///   only together who is a member.
    mutating func invited(
        to id: ConversationID,
        by inviter: Inviter,
        _ events: [ReceivedEvent],
        after kept: InvitationParts?,
        _ turn: inout Turn
    ) throws(Breach) -> InviteOutcome {
        let held = self[id]?.group?.membership ?? Membership()
        var parts = kept ?? InvitationParts(id)
        let before = parts.events.count
        for received in events where !held.contains(received.id) && !parts.contains(received.id) {
            var event = try RunVerifier.verify(single: received, in: id)
            event.arrive(at: turn.now.wall)
            parts.add(event)
        }
        let new = parts.events
        guard !new.isEmpty else { return .nothing }
        if self[id] == nil {
            // Evaluate the events only if something new came and if they can make this node a member.
            guard new.count > before, parts.people.contains(turn.own.identity),
                isInvited(by: inviter, Membership(new), turn.own.identity)
            else {
                // Only parts from accepted peers are kept.
                return inviter.isAccepted && parts.isWithinBounds ? .incomplete(parts) : .nothing
            }
            create(ConversationRecord(id: id, kind: .group), &turn)
        }
        guard self[id]?.group != nil else { return .nothing }
        return .members(take(new, from: inviter, to: held, in: id, &turn))
    }

    /// - Returns: everybody whom the events held now name.
    private mutating func take(
        _ new: [StoredEvent],
        from inviter: Inviter,
        to held: Membership,
        in id: ConversationID,
        _ turn: inout Turn
    ) -> [Conversation.NamedMember] {
        var together = held
        together.insert(new)
        guard held.isMember(inviter.peer) || together.isMember(inviter.peer) || inviter.isAccepted else { return [] }
        // Ignore events of authors whom no member has named.
        let taken = new.filter { event in
            together.contains(event.id) && !held.contains(event.id) && together.mentions(event.header.log.author)
        }
        turn.batch.rows.membership += taken
        let members = takeMembership(taken, in: id, &turn)
        if !taken.isEmpty { turn.whenDurable(.passOn(id)) }
        return members
    }

    /// Whether an invitation is taken: from an accepted peer, or from any peer if this node has written in that group,
    /// which means that its store was lost.
    private func isInvited(by inviter: Inviter, _ membership: Membership, _ identity: PeerID) -> Bool {
        guard membership.isMember(identity) else { return false }
        return inviter.isAccepted || membership.events.contains { $0.header.log.author == identity }
    }

    // News for members who have the group open.

    /// Schedules passing on what came in an invitation and is now durable.
    mutating func bringNews(to id: ConversationID, _ turn: inout Turn) {
        change(id) { $0.group?.bringNews() }
        turn.deadlines.advance(.invite(id), to: turn.now.monotonic + turn.random.below(Limits.healDelayMilliseconds))
    }

    /// - Returns: whether there was news to pass on.
    mutating func takeNews(of id: ConversationID) -> Bool { change(id) { $0.group?.takeNews() } == true }
}
