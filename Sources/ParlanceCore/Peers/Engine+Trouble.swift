import ParlanceWire

// Why a peer is not linked: the last end of a link, or the last attempt.
extension Engine {
    /// What is known of it now; `nil` if a link works, or none was tried.
    func trouble(with id: PeerID) -> LinkTrouble? {
        let ended = peers[id]?.ended
        guard mainLink(of: id) == nil else { return ended.flatMap { $0.cause.endsEachLink ? $0 : nil } }
        let ways = targets(of: id)
        let sighted = ways.filter { if case .instance = $0.key { true } else { false } }
        if !sighted.isEmpty && !sighted.contains(where: sharesWorkspace) { return LinkTrouble(.otherWorkspace) }
        let failed = ways.compactMap(\.failed).max { ($0.since ?? 0) < ($1.since ?? 0) }
        guard let ended else { return failed }
        // What ended the last link says more than that the peer is away.
        guard let failed, failed.since ?? 0 > ended.since ?? 0, !(ended.cause.endsEachLink && failed.cause.isAbsence)
        else { return ended }
        return failed
    }

    /// A link ended and no other is left.
    mutating func noteEnd(of link: Link, _ end: LinkEnd) {
        let cause = link.ending ?? (link.closing ? nil : cause(of: end))
        let lasted = turn.now.monotonic - link.openedAt >= Self.lastingMilliseconds
        guard let cause else {
            if lasted { peers[link.peer]?.ended = nil }
            return
        }
        // It goes on as it was.
        guard lasted || peers[link.peer]?.ended?.cause != cause else { return }
        peers[link.peer]?.ended = LinkTrouble(cause, since: turn.now.wall)
    }

    private func cause(of end: LinkEnd) -> LinkTrouble.Cause {
        switch end {
        case .closed: .closed
        case .cutOff: .lost
        case .broken(let rule): .breach(rule)
        case .congested: .congested
        }
    }

    /// What a `Bye` says of why the peer ends a link; `nil` if another link goes on or comes.
    func cause(of reason: WireByeReason) -> LinkTrouble.Cause? {
        switch reason {
        case .stopping: .stopped
        case .protocol: .accused
        case .stale: .stale
        case .blocked: .blocked
        case .limit: .noRoom
        case .duplicate, .renewed: nil
        case .unspecified, .UNRECOGNIZED: .closed
        }
    }

    /// A link has lasted: what ended the one before is over.
    mutating func noteLasting(_ link: Link) {
        guard peers[link.peer]?.ended != nil, turn.now.monotonic - link.openedAt >= Self.lastingMilliseconds else {
            return
        }
        peers[link.peer]?.ended = nil
        tellPeer(link.peer)
    }
}
