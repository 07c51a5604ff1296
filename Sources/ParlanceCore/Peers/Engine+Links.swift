import ParlanceWire

// The life of links: opening, the rule for two at once, hello, closing.
extension Engine {
    func mainLink(of peer: PeerID) -> Link? { links.main(of: peer) }

    mutating func linkOpened(_ opened: LinkOpened) {
        if let dial = opened.dial { dialing.succeeded(dial, peer: opened.peer, links, people, &turn) }
        let link = Link(opened, at: turn.now.monotonic)
        links.insert(link)
        guard opened.peer != identity, workspace.takes(link) else {
            return close(link.id, .unspecified, because: .otherWorkspace)
        }
        var peer = peers[opened.peer] ?? Peer(PeerRecord(id: opened.peer))
        peer.record.signedAddresses = addressBook[opened.peer]?.encoded
        guard opened.epoch >= peer.record.epochs[opened.replica] ?? 0 else {
            return close(link.id, .stale, because: .behind)
        }
        guard settleDuplicates(with: link) else { return }
        makeRoom(for: link)
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
        turn.deadlines[.heartbeat(link.id)] = turn.now.monotonic + Limits.heartbeatMilliseconds
        turn.deadlines[.silence(link.id)] = turn.now.monotonic + Limits.silenceMilliseconds
        if link.dialled { turn.deadlines[.renewal(link.id)] = turn.now.monotonic + Int64(Limits.linkHours) * 3_600_000 }
        if !isWelcome {
            turn.deadlines[.idle(link.id)] = turn.now.monotonic + Int64(Limits.unacceptedIdleSeconds) * 1_000
        }
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

    /// One main link for each copy of an identity: of two that opened within 10 s of each other, dialled from either
    /// side, both sides keep the one dialled by the smaller (peer ID, replica); otherwise the newer wins (sync.md, "Two links at once").
    ///
    /// - Returns: whether the new link stays.
    private mutating func settleDuplicates(with link: Link) -> Bool {
        let others = links.open(with: link.peer).filter { $0.id != link.id && $0.replica == link.replica }
        for other in others {
            let isSimultaneous =
                other.epoch == link.epoch && other.dialled != link.dialled
                && turn.now.monotonic - other.openedAt <= Limits.simultaneousMilliseconds
            let ownWins = (identity, replica) < (link.peer, link.replica)
            if isSimultaneous && link.dialled != ownWins {
                close(link.id, .duplicate)
                return false
            }
            close(other.id, .duplicate)
        }
        return true
    }

    /// So many copies of one identity have a link: of more the one that was silent longest goes, so that one whose machine is
    /// gone does not keep another out (sync.md, "Two links at once").
    private mutating func makeRoom(for link: Link) {
        let others = links.open(with: link.peer).filter { $0.id != link.id }
        guard others.count >= Limits.linksPerPeer,
            let last = others.min(by: { ($0.lastHeard, $0.id) < ($1.lastHeard, $1.id) })
        else { return }
        close(last.id, .limit)
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
        guard var link = links[id], !link.helloReceived else { return breakLink(id, .secondHello) }
        guard hello.purpose == .main || hello.purpose == .renewal else {
            return breakLink(id, .helloPurpose)
        }
        link.helloReceived = true
        link.listeningPort = hello.listeningPort
        if hello.time != 0 {
            link.skew = Int64(clamping: hello.time).subtractingReportingOverflow(turn.now.wall).partialValue
        }
        links[id] = link
        rememberAddress(of: link, listeningPort: hello.listeningPort)
        learn(name: hello.name, presence: hello.presence, of: link.peer)
        acceptMember(on: link)
        scheduleCourier(on: id)
        tellAddresses(on: id)
        turn.deadlines[.offline(link.peer)] = nil
        presence.arrived(link.peer)
        tellPeer(link.peer)
    }

    /// Says goodbye, then closes.
    ///
    /// - Parameter cause: what people are told of it.
    mutating func close(_ id: LinkID, _ reason: WireByeReason, because cause: LinkTrouble.Cause? = nil) {
        guard let stage = links[id]?.stage, stage != .closing else { return }
        links[id]?.ending = cause
        var bye = WireBye()
        bye.reason = reason
        links[id]?.stage = .open
        send(.bye(bye), on: id)
        links[id]?.stage = .closing
        turn.emit(.close(id))
        dropTimers(of: id)
    }

    /// A broken peer costs its link.
    mutating func breakLink(_ id: LinkID, _ rule: Breach) {
        guard let link = links[id], !link.closing else { return }
        report(rule, by: link.peer)
        close(id, .protocol, because: .breach(rule))
    }

    /// Names the rule in the log, at most once a minute for each peer.
    private mutating func report(_ rule: Breach, by peer: PeerID) {
        guard let times = breaches.add(peer, at: turn.now.monotonic) else { return }
        turn.emit(.report(peer, .breach(rule, times: times)))
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
        let cause = LinkTrouble.Cause(bye.reason)
        if !link.closing { links[id]?.ending = cause }
        links[id]?.stage = .closing
        turn.emit(.close(id))
        dropTimers(of: id)
    }

    mutating func linkClosed(_ id: LinkID, _ end: LinkEnd) {
        guard let link = links.remove(id) else { return }
        if case .broken(let rule) = end { report(rule, by: link.peer) }
        dropTimers(of: id)
        turn.reads.drop(id)
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
        for id in links.keys.sorted() { close(id, .stopping) }
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

    mutating func dropTimers(of id: LinkID) {
        let keys: [Deadlines.Key] = [
            .heartbeat(id), .silence(id), .idle(id), .renewal(id), .courier(id), .keys(id), .reread(id),
        ]
        for key in keys { turn.deadlines[key] = nil }
    }
}
