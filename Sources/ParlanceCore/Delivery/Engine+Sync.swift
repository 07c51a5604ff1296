import Foundation
import ParlanceWire

// Finding out what each side lacks (sync.md, "Summary", "Clock").
extension Engine {
    /// Whether frames of a conversation are exchanged with a peer at all: shared membership decides, nothing else.
    func admits(_ id: ConversationID, with peer: PeerID) -> Bool {
        guard let conversation = conversations[id], let group = conversation.group else {
            return isAccepted(peer) && id == ConversationID(direct: identity, peer)
        }
        return admits(group, with: peer)
    }

    private func admits(_ group: Group, with peer: PeerID) -> Bool {
        return contacts[peer]?.trust != .blocked && group.membership.isMember(peer)
            && group.membership.isMember(identity)
    }

    /// The conversations shared with a peer, in a fixed order.
    func sharedConversations(with peer: PeerID) -> [ConversationID] {
        let shared = conversations.values.filter { $0.group.map { admits($0, with: peer) } == true }
        let groups = shared.map(\.id).sorted()
        return (isAccepted(peer) ? [ConversationID(direct: identity, peer)] : []) + groups
    }

    func durableClock(of conversation: ConversationID) -> Clock {
        conversations[conversation]?.durableClock ?? Clock()
    }

    /// Says which conversations we take on this link, each with the hash of its clock and of its membership.
    mutating func sendSummary(on id: LinkID, of some: [ConversationID]? = nil) {
        guard let link = links[id] else { return }
        var summary = WireSummary()
        for conversation in some ?? sharedConversations(with: link.peer) {
            var entry = WireSummary.Entry()
            entry.conversation = Data(conversation.bytes)
            entry.clockHash = Data(durableClock(of: conversation).hash)
            if let group = conversations[conversation]?.group { entry.membershipHash = Data(group.durable.hash) }
            summary.entries.append(entry)
        }
        send(.summary(summary), on: id)
    }

    mutating func summaryReceived(_ summary: WireSummary, on id: LinkID) {
        guard let link = links[id], let isFirst = links[id]?.summarized() else { return }
        workspace.isTogether(with: link.peer)
        refusalEnded(by: link.peer)
        // What is listed again says nothing more, and hashing a clock takes time.
        var listed: Set<ConversationID> = []
        for entry in summary.entries {
            guard let conversation = ConversationID(entry.conversation) else {
                return breakLink(id, .summaryConversation)
            }
            guard listed.insert(conversation).inserted else { continue }
            guard admits(conversation, with: link.peer) else {
                tellRemoved(link.peer, of: conversation, on: id)
                continue
            }
            // Whoever lists anew what is open here had closed it, since it was no member, and has taken nothing meanwhile; or
            // it did not take what came of somebody whom it did not know to be one.
            let isOpenedAnew = !isFirst && links.session(of: conversation, on: id)?.isOpen == true
            links.begin(conversation, on: id) { $0.listed() }
            compareMembership([UInt8](entry.membershipHash), of: conversation, on: id)
            let ours = durableClock(of: conversation)
            let isEqual = ours.hash == [UInt8](entry.clockHash)
            if isEqual {
                theirClockIs(ours, of: conversation, on: id)
                recordDelivered(of: conversation, on: id)
            }
            // A later summary opens a conversation that our own summary may have come too early for.
            if !isEqual || !isFirst { sendClock(of: conversation, on: id, again: isOpenedAnew) }
            if isOpenedAnew {
                conversations.sendMarks(of: conversation, on: id, links, &turn)
                conversations.resumeReceipts(of: conversation, &turn)
                links.change(conversation, on: id) { $0.forgetForks() }
                sendForks(of: conversation, on: id)
            }
        }
        if isFirst { invite(on: id) }
        askForContact(on: id)
        push(on: id)
    }

    /// Invites the peer of a link to the groups that it is in and does not list.
    mutating func invite(on id: LinkID, again: Bool = false) {
        guard let peer = links[id]?.peer else { return }
        for conversation in sharedConversations(with: peer) where conversations[conversation]?.group != nil {
            guard links.session(of: conversation, on: id)?.isListed != true else { continue }
            sendInvite(to: conversation, on: id, again: again)
        }
    }

    private mutating func compareMembership(_ hash: [UInt8], of conversation: ConversationID, on id: LinkID) {
        guard let group = conversations[conversation]?.group else { return }
        if group.durable.hash == hash {
            links.change(conversation, on: id) { $0.toldMembership(through: group.durable.events.last?.id) }
        } else {
            sendInvite(to: conversation, on: id)
        }
    }

    /// Who lists a group that it is in no more, or that one has left oneself, is told that, and nothing else.
    private mutating func tellRemoved(_ peer: PeerID, of conversation: ConversationID, on id: LinkID) {
        guard let group = conversations[conversation]?.group, group.durable.everMembers.contains(peer),
            !group.durable.isMember(peer) || !group.durable.isMember(identity),
            // What comes after its removal is none of its business.
            links.session(of: conversation, on: id)?.isInvited != true
        else { return }
        sendFarewell(from: conversation, on: id)
    }

    /// Sends our whole clock of a conversation, once for each link unless there is a gap to mend.
    private mutating func sendClock(of conversation: ConversationID, on id: LinkID, again: Bool = false) {
        links.sendClock(durableClock(of: conversation), of: conversation, on: id, again: again, &turn)
    }

    /// What the peer pushed does not fit what we have: it learns our clock anew and pushes from there.
    mutating func mendGap(in conversation: ConversationID, on id: LinkID) {
        sendClock(of: conversation, on: id, again: true)
    }

    /// A whole clock, or the entries of it that changed: what the peer holds durably.
    mutating func clockReceived(_ bytes: Data, _ entries: [WireClockEntry], isWhole: Bool, on id: LinkID) {
        guard let link = links[id], let conversation = ConversationID(bytes) else {
            return breakLink(id, .clockConversation)
        }
        guard let clock = try? Clock(decoding: entries) else { return breakLink(id, .clockEntries) }
        guard admits(conversation, with: link.peer) else { return }
        // Whoever was accepted as a member of the workspace may have written before, and so may this node.
        if conversations[conversation] == nil && !clock.entries.isEmpty { createDirect(with: link.peer) }
        let all = conversations[conversation]?.ofMembers(clock, identity) ?? Clock()
        let known = conversations[conversation]?.bounded(all) ?? Clock()
        let hasUnnamed = all.entries.count < clock.entries.count
        let isCut = known.entries.count < all.entries.count
        if isWhole {
            theirClockIs(known, of: conversation, on: id)
            links.change(conversation, on: id) { $0.leftOut(isCut: isCut, hasUnnamed: hasUnnamed, isWhole: true) }
            // Who sends its clock found our summary to differ from it then, and does not know that they agree by now.
            sendClock(of: conversation, on: id)
        } else {
            raiseTheirs(by: known, in: conversation, on: id)
            links.change(conversation, on: id) { session in
                session.leftOut(isCut: isCut, hasUnnamed: hasUnnamed, isWhole: false)
                for (log, entry) in clock.entries { session.acknowledged(log, through: entry.position.sequence) }
            }
        }
        recordDelivered(of: conversation, on: id)
        if isWhole { sendForks(of: conversation, on: id) }
        conversations.noteLacking(known, in: conversation, &turn)
        askForBodies(of: conversation, on: id)
        push(on: id)
    }

    /// Who is a member has changed: what the peer told of people whom nobody had named before may be of use now. A summary has
    /// it tell all again.
    mutating func askAnew(of conversation: ConversationID, on id: LinkID) {
        guard links.session(of: conversation, on: id)?.hasToldOfUnnamed == true else { return }
        links.change(conversation, on: id) { $0.asksAnew() }
        sendSummary(on: id, of: [conversation])
    }

    /// The peer's clock moved on.
    private mutating func raiseTheirs(by known: Clock, in id: ConversationID, on link: LinkID) {
        let conversations = conversations
        links.change(id, on: link) { session in
            session.raised(by: known) { conversations[id]?.bounded($0) ?? Clock() }
        }
    }

    /// From here on what is sent on this link follows from this clock.
    private mutating func theirClockIs(_ clock: Clock, of conversation: ConversationID, on id: LinkID) {
        guard let link = links[id] else { return }
        let before = link.sessions[conversation]
        links.begin(conversation, on: id) { $0.opened(with: clock) }
        // Others go on in the place it took.
        if before?.window.bytes ?? 0 > 0 { push(on: id, besides: conversation) }
        guard before?.isOpen != true else { return }
        conversations.sendMarks(of: conversation, on: id, links, &turn)
        conversations.resumeReceipts(of: conversation, &turn)
    }

    /// Nothing of the conversation is open or on the way on this link any more; others go on in the place it took.
    mutating func dropSync(of conversation: ConversationID, on id: LinkID) {
        if links.end(conversation, on: id) > 0 { push(on: id) }
    }
}
