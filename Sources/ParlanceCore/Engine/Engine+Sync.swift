import FoundationEssentials
import ParlanceRecords
import ParlanceWire

// Finding out what each side lacks (sync.md, "Summary", "Clock").
extension Engine {
    /// Whether frames of a conversation may be exchanged with a peer. Only shared membership decides.
    func admits(_ id: ConversationID, with peer: PeerID) -> Bool { people.admits(id, with: peer) }

    /// Lists the conversations that we exchange on this link.
    mutating func sendSummary(on id: LinkID, of some: [ConversationID]? = nil) {
        guard let link = links[id] else { return }
        links.sendSummary(of: some ?? people.shared(with: link.peer), on: id, conversations, &turn)
    }

    mutating func summaryReceived(_ summary: WireSummary, on id: LinkID) throws(Breach) {
        guard let link = links[id], let isFirst = links.summarized(id, hasMore: summary.more) else { return }
        workspace.isTogether(with: link.peer)
        refusalEnded(by: link.peer)
        // Duplicate entries are ignored: they add nothing, and hashing a clock takes time.
        var listed: Set<ConversationID> = []
        let isListedLate = !isFirst && summary.entries.contains { listsLate($0.conversation, on: link) }
        for entry in summary.entries {
            guard let conversation = ConversationID(entry.conversation) else {
                throw .summaryConversation
            }
            guard entry.clockHash.count == Self.hashBytes, [0, Self.hashBytes].contains(entry.membershipHash.count)
            else {
                throw .summaryHash
            }
            guard listed.insert(conversation).inserted else { continue }
            let group = conversations[conversation]?.group
            if admits(conversation, with: link.peer) {
                theyList(
                    conversation,
                    [UInt8](entry.clockHash),
                    [UInt8](entry.membershipHash),
                    isFirst: isFirst,
                    on: id
                )
            } else if let group {
                links.tellRemoved(from: group, on: id, &turn)
            }
        }
        guard !summary.more else { return }
        if isListedLate { tellAgain(on: id) } else if isFirst { invite(on: id) }
        askForContact(on: id)
        push(on: id)
    }

    /// The length of the hashes in a summary.
    private static let hashBytes = 8

    /// The peer lists a conversation.
    ///
    /// - Parameters:
    ///   - clock: the hash of its clock.
    ///   - members: the hash of its membership.
    ///   - isFirst: whether the entry is in the peer's first summary.
    private mutating func theyList(
        _ conversation: ConversationID,
        _ clock: [UInt8],
        _ members: [UInt8],
        isFirst: Bool,
        on id: LinkID
    ) {
        // If the peer lists a conversation again that is open here, it has ignored frames meanwhile: either it had
        // closed the conversation, since it was not a member, or it did not know an author to be one.
        let isOpenedAnew = !isFirst && links.session(of: conversation, on: id)?.isOpen == true
        links.begin(conversation, on: id) { $0.listed() }
        if let group = conversations[conversation]?.group {
            links.compareMembership(members, of: group, on: id, &turn)
        }
        let ours = conversations.durableClock(of: conversation)
        let isEqual = ours.hash == clock
        if isEqual {
            theirClockIs(ours, of: conversation, on: id)
            recordDelivered(of: conversation, on: id)
        }
        // A later summary opens a conversation for which our summary may have come too early.
        if !isEqual || !isFirst { sendClock(of: conversation, on: id, again: isOpenedAnew) }
        if isOpenedAnew {
            conversations.sendMarks(of: conversation, on: id, links, &turn)
            conversations.resumeReceipts(of: conversation, &turn)
            links.change(conversation, on: id) { $0.forgetForks() }
            sendForks(of: conversation, on: id)
        }
    }

    /// Whether a conversation that the peer names after its first summary is the direct one, and was not listed on the
    /// link. The peer has accepted this user only now, and has ignored the invitations before.
    private func listsLate(_ conversation: Data, on link: Link) -> Bool {
        let direct = ConversationID(direct: identity, link.peer)
        return ConversationID(conversation) == direct && link.sessions[direct]?.isListed != true
            && admits(direct, with: link.peer)
    }

    /// Invites a peer to the groups that it belongs to and does not list.
    ///
    /// - Parameter again: whether it has ignored earlier invitations.
    mutating func invite(on id: LinkID, again: Bool = false) {
        guard let peer = links[id]?.peer else { return }
        for conversation in people.shared(with: peer) {
            guard let group = conversations[conversation]?.group,
                links.session(of: conversation, on: id)?.isListed != true
            else { continue }
            links.sendInvite(to: group, on: id, again: again, &turn)
        }
    }

    /// Sends our whole clock of a conversation: once per link, and again to mend a gap.
    mutating func sendClock(of conversation: ConversationID, on id: LinkID, again: Bool = false) {
        links.sendClock(of: conversation, on: id, again: again, conversations, &turn)
    }

    /// Takes a whole clock of the peer, or changed entries of it. They name what the peer holds durably.
    mutating func clockReceived(_ bytes: Data, _ entries: [WireClockEntry], isWhole: Bool, on id: LinkID) throws(Breach)
    {
        guard let link = links[id], let conversation = ConversationID(bytes) else {
            throw .clockConversation
        }
        guard let clock = try? Clock(decoding: entries) else { throw .clockEntries }
        guard admits(conversation, with: link.peer) else { return }
        let isListedLate = isWhole && link.summaryReceived && listsLate(bytes, on: link)
        // A workspace member that this node or the peer accepted automatically may have written before.
        if conversations[conversation] == nil && !clock.entries.isEmpty { createDirect(with: link.peer) }
        let told = conversations[conversation]?.told(clock, identity) ?? AnnouncedClock()
        if isWhole {
            theirClockIs(told.kept, of: conversation, on: id)
            links.change(conversation, on: id) {
                $0.leftOut(isCut: told.isCut, hasUnnamed: told.hasUnnamed, isWhole: true)
            }
            // A peer that sends its clock found that our summary differed, and cannot know whether the two agree now.
            sendClock(of: conversation, on: id)
        } else {
            links.raised(conversation, by: told, of: clock, on: id, conversations)
        }
        tellAuthor(of: conversation, theirs: told.kept, on: link)
        recordDelivered(of: conversation, on: id)
        if isWhole { sendForks(of: conversation, on: id) }
        conversations.noteLacking(told.kept, in: conversation, &turn)
        askForBodies(of: conversation, on: id)
        if isListedLate { invite(on: id, again: true) }
        push(on: id)
    }

    /// Lists a conversation again after a member was added. The peer then repeats what it sent about people who were
    /// not known as members.
    mutating func askAnew(of conversation: ConversationID, on id: LinkID) {
        guard links.session(of: conversation, on: id)?.hasToldOfUnnamed == true else { return }
        links.change(conversation, on: id) { $0.asksAnew() }
        sendSummary(on: id, of: [conversation])
    }

    /// Sets the peer's clock, which determines what is sent from now on.
    private mutating func theirClockIs(_ clock: Clock, of conversation: ConversationID, on id: LinkID) {
        guard let opening = links.opened(conversation, with: clock, on: id) else { return }
        if opening.hasFreed { push(on: id, besides: conversation) }
        guard opening.isNew else { return }
        conversations.sendMarks(of: conversation, on: id, links, &turn)
        conversations.resumeReceipts(of: conversation, &turn)
        transfers.opened(conversation, filePeers, &turn)
    }

    /// Ends the session of a conversation on a link, and uses the window space that this frees.
    mutating func endSession(of conversation: ConversationID, on id: LinkID) {
        transfers.closed(conversation, on: id, links, &turn)
        if links.end(conversation, on: id) > 0 { push(on: id) }
    }

    /// Sends the proofs of forks to a peer whose clock does not name all branches.
    mutating func sendForks(of id: ConversationID, on link: LinkID) {
        guard let conversation = conversations[id] else { return }
        links.sendForks(of: conversation, on: link, &turn)
    }
}
