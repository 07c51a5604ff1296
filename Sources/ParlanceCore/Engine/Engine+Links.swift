import FoundationEssentials
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// The life cycle of links: opening, duplicates, hello, closing.
extension Engine {
    func mainLink(of peer: PeerID) -> Link? { links.main(of: peer) }

    mutating func linkOpened(_ opened: LinkOpened) {
        if let dial = opened.dial { dialing.succeeded(dial, peer: opened.peer, links, people, &turn) }
        if !workspace.takes(opened.workspaceTag) || !links.leavesAside(opened, &turn) { takeUp(opened) }
    }

    /// The first frame came on a link that was left aside: the peer has no other one, unless it says so.
    mutating func takeUp(_ id: LinkID, after frame: WireFrame) {
        if case .bye(let bye) = frame.kind, bye.reason == .duplicate {
            _ = links.bringIn(id, &turn)
            return
        }
        guard let opened = links.takeAside(id)?.opened else { return }
        turn.deadlines[.silence(id)] = nil
        takeUp(opened)
    }

    private mutating func takeUp(_ opened: LinkOpened) {
        let link = links.opened(opened, &turn)
        guard opened.peer != identity, workspace.takes(opened.workspaceTag) else {
            return close(link.id, .unspecified, because: .otherWorkspace)
        }
        guard opened.epoch >= contacts[opened.peer]?.epochs[opened.replica] ?? 0 else {
            return close(link.id, .stale, because: .behind)
        }
        guard links.settleDuplicates(with: link, &turn) else { return }
        links.makeRoom(for: link, &turn)
        let isWelcome = people.isWelcome(opened.peer)
        let signed = addressBook[opened.peer]?.encoded
        contacts.linkOpened(opened, signedAddresses: signed, &turn)
        if isWelcome { route(addressBook.served(at: opened.local, turn.own)) }
        admit(link)
        if people.isShunned(opened.peer) { return closeRemovedPeer(link.id) }
        // Not even the name and the presence are told.
        if shutsOut(link) { return close(link.id, .renewed) }
        send(.hello(hello(on: link)), on: link.id)
        links.startTimers(of: link, isWelcome: isWelcome, &turn)
        greetWithCharter(on: link.id)
        guard handOnKey(on: link.id) else { return }
        sendSummary(on: link.id)
        if contacts.isAccepted(link.peer) { sendAnswer(to: link.peer, on: link.id) }
    }

    /// Says how much is read of a link before it is handled. From when its peer is welcome, the start that the link shows is
    /// remembered.
    mutating func admit(_ link: Link) {
        let isWelcome = people.isWelcome(link.peer)
        turn.emit(.admit(link.id, accepted: isWelcome))
        if isWelcome { contacts.met(link, conversations, &turn) }
    }

    /// Whether the peer gets no link because it came with a key that somebody excluded, or left out, may have.
    func shutsOut(_ link: Link) -> Bool {
        stored.workspace?.shutsOut(link.peer, with: link.workspaceTag, isAccepted: contacts.isAccepted(link.peer))
            == true
    }

    private func hello(on link: Link) -> WireHello {
        var hello = WireHello()
        hello.purpose = .main
        hello.name = stored.profile.name
        hello.presence = announcedPresence(to: link.peer)
        hello.listeningPort = UInt32(turn.own.listeningPort)
        hello.frameLimit = UInt32(Limits.frameBytes)
        hello.features = [WireHello.files]
        hello.time = UInt64(max(0, turn.now.wall))
        if link.workspaceTag != nil, let proof = workspace.current?.proof(of: identity) {
            hello.invitation = Data(proof.bytes)
        }
        return hello
    }

    mutating func helloReceived(_ hello: WireHello, on id: LinkID) throws(Breach) {
        guard let link = try links.helloReceived(hello, on: id, &turn) else { return }
        guard hello.invitation.isEmpty || InvitationProof(hello.invitation) != nil else {
            throw .helloInvitation
        }
        rememberAddress(of: link, listeningPort: hello.listeningPort)
        learn(name: hello.name, presence: hello.presence, of: link.peer)
        acceptMember(on: link)
        waits(link)
        pictureAnnounced(hello.presence.picture, on: id)
        scheduleCourier(on: id)
        exchangeAddresses(on: id)
        turn.deadlines[.offline(link.peer)] = nil
        presence.arrived(link.peer)
        keepSeen([link.peer])
        tellPeer(link.peer)
    }

    mutating func close(_ id: LinkID, _ reason: WireByeReason, because cause: LinkTrouble.Cause? = nil) {
        links.close(id, reason, because: cause, &turn)
    }

    mutating func byeReceived(_ bye: WireBye, on id: LinkID) {
        guard let link = links[id] else { return broken("a frame arrives on an open link") }
        if bye.reason == .blocked { refused(by: link.peer) }
        // The peer does not know us and has no room for us. It will dial when it has something to send.
        if bye.reason == .limit { dialing.backOffRefused(link.peer, links, people, &turn) }
        // The peer has seen a later epoch of this replica, so this store was rolled back. A peer sends this before any
        // summary. Only a welcome peer is believed, and only once: from then on all epochs are new.
        if bye.reason == .stale && people.isWelcome(link.peer) && !link.summaryReceived && !turn.own.isRenewed {
            conversations.takeNewReplica(&turn)
        }
        if bye.reason == .renewed { workspace.renewed(link) }
        links.byeReceived(on: id, because: LinkTrouble.Cause(bye.reason), &turn)
    }

    /// Nothing that is sent on a link arrives any more, as far as this machine can tell. It stays, because it may recover,
    /// and another way is tried beside it.
    mutating func linkStalled(_ id: LinkID, for milliseconds: Int64) {
        guard let link = links[id], !link.closing,
            links.change(id, { $0.stalled(since: turn.now.wall - milliseconds) }) == true
        else { return }
        dialing.tryBeside(link, links, people, &turn)
        tellPeer(link.peer)
    }

    mutating func linkAnswers(_ id: LinkID) {
        guard let link = links[id], links.change(id, { $0.stalled(since: nil) }) == true else { return }
        scheduleDial()
        tellPeer(link.peer)
    }

    mutating func linkClosed(_ id: LinkID, _ end: LinkEnd) {
        guard let link = links.closed(id, end, &turn) else { return }
        conversations.dropWants(on: id, &turn)
        let facts = dialBacks.linkClosed(id, &turn)
        route(facts)
        pictures.linkClosed(id)
        transfers.linkClosed(id, links, &turn)
        considerDeposits(after: link)
        for (id, session) in link.sessions {
            guard let clock = session.theirs, let conversation = conversations[id],
                conversation.group?.membership.isMember(link.peer) == true
            else { continue }
            lastClocks.ended(clock, of: link.peer, in: id, holding: conversation.logs.keys)
        }
        guard contacts[link.peer] != nil else {
            return dialing.tryLater(after: link, links, people, &turn)
        }
        presence.heard(of: link.peer, at: link.lastHeard)
        // One that does not answer may be all that is left.
        guard mainLink(of: link.peer) == nil else { return scheduleDial() }
        noteSeen(link.peer)
        backlogs.parted(from: link.peer, &turn)
        turn.deadlines[.offline(link.peer)] = turn.now.monotonic + Limits.offlineGraceMilliseconds
        dialing.linkLost(link, end, links, people, &turn)
        tellPeer(link.peer)
    }

    /// Stops the node: says goodbye on every link, and writes the rows that could wait.
    package mutating func stop(at now: Instant) -> [Effect] {
        turn.now = now
        keepSeen(links.openPeers.sorted())
        for opened in links.leftAside { links.bringIn(opened.link, &turn) }
        for id in links.ids { close(id, .stopping) }
        turn.batch.isUrgent = !turn.batch.isEmpty
        return handle(.deadlinePassed, at: now)
    }

    /// Opens a new link to get a new secret. Both sides keep the newer link.
    mutating func renewalDue(_ id: LinkID) {
        guard let link = links[id], !link.closing else { return }
        turn.deadlines[.renewal(id)] = turn.now.monotonic + Limits.backoffRefusedMilliseconds
        dialAgain(link)
    }

    /// Closes a link with a peer that was not accepted in time.
    mutating func idleDue(_ id: LinkID) {
        guard let link = links[id], !people.isWelcome(link.peer) else { return }
        close(id, .limit)
    }

    mutating func send(_ kind: WireFrame.OneOf_Kind, on id: LinkID) {
        links.send(kind, on: id, &turn)
    }
}
