import ParlanceWire

// The life cycle of links: opening, duplicates, hello, silence, closing (link.md, sync.md).
extension Links {
    // Opening.

    mutating func opened(_ opened: LinkOpened, _ turn: inout Turn) -> Link {
        let link = Link(opened, at: turn.now.monotonic)
        insert(link)
        return link
    }

    /// Keeps one link for each copy of an identity. Of two links that the two sides dialled within 10 s of each other,
    /// both sides keep the one dialled by the smaller (peer ID, replica). Otherwise the newer one stays (sync.md, "Two
    /// links at once").
    ///
    /// - Returns: whether the new link stays.
    mutating func settleDuplicates(with link: Link, _ turn: inout Turn) -> Bool {
        let others = self.open(with: link.peer).filter { $0.id != link.id && $0.replica == link.replica }
        for other in others {
            let isSimultaneous =
                other.epoch == link.epoch && other.dialled != link.dialled
                && turn.now.monotonic - other.openedAt <= Limits.simultaneousMilliseconds
            let ownWins = (turn.own.identity, turn.own.replica) < (link.peer, link.replica)
            if isSimultaneous && link.dialled != ownWins {
                close(link.id, .duplicate, &turn)
                return false
            }
            close(other.id, .duplicate, &turn)
        }
        return true
    }

    /// Bounds the number of copies of one identity that have a link. Beyond the bound it closes the link that was
    /// silent longest, so that a copy on a lost machine does not keep out another (sync.md, "Two links at once").
    mutating func makeRoom(for link: Link, _ turn: inout Turn) {
        let others = self.open(with: link.peer).filter { $0.id != link.id }
        guard others.count >= Limits.linksPerPeer,
            let last = others.min(by: { ($0.lastHeard, $0.id) < ($1.lastHeard, $1.id) })
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

    /// Takes the peer's hello. A second one, or one with an unknown purpose, ends the link.
    ///
    /// - Returns: the updated link; `nil` if it ends.
    mutating func helloReceived(_ hello: WireHello, on id: LinkID, _ turn: inout Turn) -> Link? {
        guard self[id]?.helloReceived == false else {
            breakLink(id, .secondHello, &turn)
            return nil
        }
        guard hello.purpose == .main || hello.purpose == .renewal else {
            breakLink(id, .helloPurpose, &turn)
            return nil
        }
        change(id) { $0.greeted(hello, at: turn.now.wall) }
        return self[id]
    }

    // Signs of life.

    /// Notes a sign of life. Any frame is one.
    mutating func heard(_ frame: WireFrame, on id: LinkID, at now: Int64) {
        change(id) { $0.heard(at: now, isOfMessage: frame.isOfMessage) }
    }

    /// Closes a link on which nothing has come for `Limits.silenceMilliseconds`.
    mutating func silenceDue(_ id: LinkID, _ turn: inout Turn) {
        guard let link = self[id] else { return }
        let due = link.lastHeard + Limits.silenceMilliseconds
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
        let silent = (self[id]?.lastHeard ?? turn.now.monotonic) + Limits.silenceMilliseconds
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
