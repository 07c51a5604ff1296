import ParlanceWire

// The life of links: opening, the rule for two at once, hello, closing.
extension Engine {
    func mainLink(of peer: PeerID) -> Link? { links.main(of: peer) }

    mutating func linkOpened(_ opened: LinkOpened) {
        if let dial = opened.dial { dialing.succeeded(dial, peer: opened.peer, links, people, &turn) }
        let link = links.opened(opened, &turn)
        guard opened.peer != identity, workspace.takes(link) else {
            return close(link.id, .unspecified, because: .otherWorkspace)
        }
        var peer = peers[opened.peer] ?? Peer(PeerRecord(id: opened.peer))
        peer.record.signedAddresses = addressBook[opened.peer]?.encoded
        guard opened.epoch >= peer.record.epochs[opened.replica] ?? 0 else {
            return close(link.id, .stale, because: .behind)
        }
        guard links.settleDuplicates(with: link, &turn) else { return }
        links.makeRoom(for: link, &turn)
        let isWelcome = isWelcome(opened.peer)
        if isWelcome && peer.record.epochs[opened.replica] != opened.epoch {
            peer.record.epochs[opened.replica] = opened.epoch
            dropEpochs(of: &peer.record, besides: opened.replica)
            turn.save(opened.peer, lazily: true)
        }
        peers[opened.peer] = peer
        turn.emit(.admit(link.id, accepted: isWelcome))
        if peer.record.trust == .blocked || isRemoved(opened.peer) { return refuse(link.id) }
        send(.hello(hello()), on: link.id)
        links.startTimers(of: link, isWelcome: isWelcome, &turn)
        guard handOnKey(on: link.id) else { return }
        sendSummary(on: link.id)
        if peer.isAccepted { sendAnswer(to: link.peer, on: link.id) }
    }

    /// A copy that wrote nothing leaves nothing behind: of those of which nothing is held so many are remembered, those that
    /// started most often, and of equal ones those of the smaller names.
    private func dropEpochs(of record: inout PeerRecord, besides replica: ReplicaID) {
        guard record.epochs.count > Limits.epochsPerPeer else { return }
        var writers: Set<ReplicaID> = [replica]
        for conversation in conversations.values {
            for log in conversation.logs.keys where log.author == record.id { writers.insert(log.replica) }
        }
        let idle = record.epochs.filter { !writers.contains($0.key) }
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        for (replica, _) in idle.dropFirst(Limits.epochsPerPeer) { record.epochs[replica] = nil }
    }

    private func hello() -> WireHello {
        var hello = WireHello()
        hello.purpose = .main
        hello.name = stored.profile.name
        hello.presence = announcedPresence
        hello.listeningPort = UInt32(turn.own.listeningPort)
        hello.frameLimit = UInt32(Limits.frameBytes)
        hello.time = UInt64(max(0, turn.now.wall))
        return hello
    }

    mutating func helloReceived(_ hello: WireHello, on id: LinkID) {
        guard let link = links.helloReceived(hello, on: id, &turn) else { return }
        rememberAddress(of: link, listeningPort: hello.listeningPort)
        learn(name: hello.name, presence: hello.presence, of: link.peer)
        acceptMember(on: link)
        scheduleCourier(on: id)
        tellAddresses(on: id)
        turn.deadlines[.offline(link.peer)] = nil
        presence.arrived(link.peer)
        tellPeer(link.peer)
    }

    mutating func close(_ id: LinkID, _ reason: WireByeReason, because cause: LinkTrouble.Cause? = nil) {
        links.close(id, reason, because: cause, &turn)
    }

    mutating func breakLink(_ id: LinkID, _ rule: Breach) {
        links.breakLink(id, rule, &turn)
    }

    mutating func byeReceived(_ bye: WireBye, on id: LinkID) {
        guard let link = links[id] else { return }
        if bye.reason == .blocked { refused(by: link.peer) }
        // It does not know us and needs its places; it will dial when it has something to say.
        if bye.reason == .limit { dialing.backOffRefused(link.peer, links, people, &turn) }
        // It knows a later start of this copy: this store was rolled back. That is said before a summary, by somebody who is
        // welcome, and believed once, since then all starts are new.
        if bye.reason == .stale && isWelcome(link.peer) && !link.summaryReceived && !turn.own.isRenewed {
            takeNewReplica()
        }
        if bye.reason == .renewed { workspace.renewed(link) }
        links.byeReceived(on: id, because: LinkTrouble.Cause(bye.reason), &turn)
    }

    mutating func linkClosed(_ id: LinkID, _ end: LinkEnd) {
        guard let link = links.closed(id, end, &turn) else { return }
        dropWants(on: id)
        dialBacks.linkClosed(id, &turn)
        considerDeposits(after: link)
        guard mainLink(of: link.peer) == nil, peers[link.peer] != nil else { return }
        peers[link.peer]?.record.lastSeen = turn.now.wall
        turn.deadlines[.offline(link.peer)] = turn.now.monotonic + Limits.offlineGraceMilliseconds
        dialing.linkLost(link, end, links, people, &turn)
        tellPeer(link.peer)
    }

    /// Every link says goodbye, and rows that could wait are written: the daemon stops.
    package mutating func stop(at now: Instant) -> [Effect] {
        for id in links.ids { close(id, .stopping) }
        turn.batch.isUrgent = !turn.batch.isEmpty
        return handle(.deadlinePassed, at: now)
    }

    /// A fresh link for a fresh secret: the peer and we both keep the newer.
    mutating func renewalDue(_ id: LinkID) {
        guard let link = links[id], !link.closing else { return }
        turn.deadlines[.renewal(id)] = turn.now.monotonic + Limits.backoffRefusedMilliseconds
        dialAgain(link)
    }

    /// A link to a peer that is not accepted serves to get to know each other, and not for longer.
    mutating func idleDue(_ id: LinkID) {
        guard let link = links[id], !isWelcome(link.peer) else { return }
        close(id, .limit)
    }

    mutating func send(_ kind: WireFrame.OneOf_Kind, on id: LinkID) {
        links.send(kind, on: id, &turn)
    }
}
