import ParlanceWire

// The life cycle of links: opening, duplicates, hello, silence, closing (link.md, sync.md).
extension Links {
    // Opening.

    /// Takes up a link that was just opened, or left aside before.
    ///
    /// - Parameter heard: when it was opened, if that was before now.
    mutating func opened(_ opened: LinkOpened, heard: Instant? = nil, _ turn: inout Turn) -> Link {
        let link = Link(opened, at: turn.now, heard: heard)
        insert(link)
        return link
    }

    /// Leaves a link that the peer dialled aside until its first frame, if an own one would stay (sync.md, "Two links at
    /// once").
    ///
    /// Who answers a dial opens the link first, so the peer had that other link before this one, unless it has lost it.
    /// Only the peer knows, and its first frame tells: `Bye` with `DUPLICATE` if it has that one, any other if it has not.
    mutating func leavesAside(_ opened: LinkOpened, _ turn: inout Turn) -> Bool {
        let link = Link(opened, at: turn.now)
        guard !link.dialled, others(than: link).contains(where: { stays($0, beside: link, turn) }) else { return false }
        for former in leftAside where former.peer == link.peer && former.replica == link.replica {
            bringIn(former.link, &turn)
            close(former.link, .duplicate, &turn)
        }
        putAside(opened, turn.now)
        turn.deadlines[.silence(link.id)] = turn.now.monotonic + Limits.silenceMilliseconds
        return true
    }

    /// Makes a link that was left aside one of the others, so that it ends as they do.
    ///
    /// - Returns: whether it was left aside.
    @discardableResult
    mutating func bringIn(_ id: LinkID, _ turn: inout Turn) -> Bool {
        guard let aside = takeAside(id) else { return false }
        _ = opened(aside.opened, heard: aside.since, &turn)
        return true
    }

    /// Keeps one link for each copy of an identity. Of two links that the two sides dialled within 10 s of each other,
    /// both sides keep the one dialled by the smaller (peer ID, replica). Otherwise the newer one stays (sync.md, "Two
    /// links at once").
    ///
    /// - Returns: whether the new link stays.
    mutating func settleDuplicates(with link: Link, _ turn: inout Turn) -> Bool {
        let others = others(than: link)
        if link.dialled, others.contains(where: { stays($0, beside: link, turn) }) {
            close(link.id, .duplicate, &turn)
            return false
        }
        for other in others { close(other.id, .duplicate, &turn) }
        return true
    }

    /// The other links to the same copy.
    private func others(than link: Link) -> [Link] {
        self.open(with: link.peer).filter { $0.id != link.id && $0.replica == link.replica }
    }

    /// Whether a link stays although a newer one opens: both sides dialled at the same moment, and this one was dialled by
    /// the smaller.
    private func stays(_ other: Link, beside link: Link, _ turn: Turn) -> Bool {
        let isSimultaneous =
            other.epoch == link.epoch && other.dialled != link.dialled && !other.isStalled
            && turn.now.monotonic - other.openedAt <= Limits.simultaneousMilliseconds
        let ownWins = (turn.own.identity, turn.own.replica) < (link.peer, link.replica)
        return isSimultaneous && other.dialled == ownWins
    }

    /// Bounds the number of copies of one identity that have a link. Beyond the bound it closes the link that was
    /// silent longest, so that a copy on a lost machine does not keep out another (sync.md, "Two links at once").
    mutating func makeRoom(for link: Link, _ turn: inout Turn) {
        let others = self.open(with: link.peer).filter { $0.id != link.id }
        guard others.count >= Limits.linksPerPeer,
            let last = others.min(by: { ($0.lastHeard.monotonic, $0.id) < ($1.lastHeard.monotonic, $1.id) })
        else { return }
        close(last.id, .limit, &turn)
    }

    /// Sets the deadlines of a link that was just opened.
    ///
    /// - Parameter isWelcome: whether the peer may stay. Other peers may stay `Limits.unacceptedIdleSeconds`.
    func startTimers(of link: Link, isWelcome: Bool, _ turn: inout Turn) {
        let now = turn.now.monotonic
        turn.deadlines[.heartbeat(link.id)] = now + Limits.heartbeatMilliseconds
        turn.deadlines[.silence(link.id)] = now + Limits.silenceMilliseconds
        if link.dialled { turn.deadlines[.renewal(link.id)] = now + Int64(Limits.linkHours) * 3_600_000 }
        if !isWelcome { turn.deadlines[.idle(link.id)] = now + Int64(Limits.unacceptedIdleSeconds) * 1_000 }
    }

    /// Takes the peer's hello.
    ///
    /// - Returns: the updated link.
    mutating func helloReceived(_ hello: WireHello, on id: LinkID, _ turn: inout Turn) throws(Breach) -> Link? {
        guard self[id]?.helloReceived == false else { throw .secondHello }
        guard hello.purpose == .main || hello.purpose == .renewal else { throw .helloPurpose }
        change(id) { $0.greeted(hello, at: turn.now.wall) }
        return self[id]
    }

    // Signs of life.

    /// Notes a sign of life. Any frame is one.
    mutating func heard(_ frame: WireFrame, on id: LinkID, at now: Instant) {
        change(id) { $0.heard(at: now, isOfMessage: frame.isOfMessage) }
    }

    /// Closes a link on which nothing has come for `Limits.silenceMilliseconds`.
    mutating func silenceDue(_ id: LinkID, _ turn: inout Turn) {
        if bringIn(id, &turn) { return close(id, .unspecified, because: .lost, &turn) }
        guard let link = self[id] else { return broken("a link whose silence is timed is open") }
        let due = link.lastHeard.monotonic + Limits.silenceMilliseconds
        guard due <= turn.now.monotonic else {
            turn.deadlines[.silence(id)] = due
            return
        }
        close(id, .unspecified, because: .lost, &turn)
    }

    // Closing.

    /// Sends `Bye`, then closes.
    ///
    /// - Parameter cause: what people are told.
    mutating func close(
        _ id: LinkID,
        _ reason: WireByeReason,
        because cause: LinkTrouble.Cause? = nil,
        _ turn: inout Turn
    ) {
        guard change(id, { $0.beginClosing(because: cause) }) == true else { return }
        part(from: id, reason, &turn)
    }

    private func part(from id: LinkID, _ reason: WireByeReason, _ turn: inout Turn) {
        var frame = WireFrame()
        frame.bye.reason = reason
        turn.emit(.send(id, frame))
        turn.emit(.close(id))
        dropTimers(of: id, &turn)
    }

    /// The peer sent `Bye`.
    ///
    /// - Parameter cause: what people are told, unless we were closing the link already.
    mutating func byeReceived(on id: LinkID, because cause: LinkTrouble.Cause?, _ turn: inout Turn) {
        change(id) { $0.byeReceived(because: cause) }
        turn.emit(.close(id))
        dropTimers(of: id, &turn)
    }

    /// Removes a link that has ended.
    ///
    /// - Returns: the link as it was; `nil` if it is unknown.
    mutating func closed(_ id: LinkID, _ end: LinkEnd, _ turn: inout Turn) -> Link? {
        bringIn(id, &turn)
        guard let link = remove(id) else { return nil }
        if case .broken(let rule) = end { report(rule, by: link.peer, &turn) }
        dropTimers(of: id, &turn)
        turn.reads.drop(id)
        return link
    }

    /// Reports a broken rule and closes the link.
    mutating func breakLink(_ id: LinkID, _ rule: Breach, _ turn: inout Turn) {
        guard let link = self[id], link.stage != .closing else { return }
        report(rule, by: link.peer, &turn)
        close(id, .protocol, because: .breach(rule), &turn)
    }

    /// Restricts the link to the exchange of workspace keys, for a short time.
    mutating func handKeys(on id: LinkID, _ turn: inout Turn) {
        change(id) { $0.handKeys() }
        dropTimers(of: id, &turn)
        // No link lasts longer than others because it serves for less.
        let silent = (self[id]?.lastHeard ?? turn.now).monotonic + Limits.silenceMilliseconds
        turn.deadlines[.keys(id)] = min(turn.now.monotonic + Limits.workspaceKeyExchangeMilliseconds, silent)
    }

    private func dropTimers(of id: LinkID, _ turn: inout Turn) {
        let keys: [Deadlines.Key] = [
            .heartbeat(id), .silence(id), .idle(id), .renewal(id), .courier(id), .keys(id), .reread(id),
        ]
        for key in keys { turn.deadlines[key] = nil }
    }
}

extension WireFrame {
    /// Whether it tells that somebody writes, has written, or has got or read a message.
    fileprivate var isOfMessage: Bool {
        switch kind {
        case .typing, .events, .have, .watermarks: true
        default: false
        }
    }
}
