import ParlanceWire

// A peer sends more than is handled at once (sync.md, "Behind").
extension Engine {
    mutating func fellBehind(with peer: PeerID) {
        guard people.isWelcome(peer), let link = mainLink(of: peer) else { return }
        var frame = WireBehind()
        frame.milliseconds = UInt64(Limits.behindHeldMilliseconds)
        send(.behind(frame), on: link.id)
        guard backlogs.fellBehind(with: peer, &turn) else { return }
        turn.emit(.report(peer, .behind))
        tellPeer(peer)
    }

    mutating func behindReceived(_ behind: WireBehind, on id: LinkID) throws(Breach) {
        guard behind.milliseconds > 0 else { throw .behindFields }
        guard let peer = links[id]?.peer, people.isWelcome(peer),
            backlogs.isTold(by: peer, for: behind.milliseconds, &turn)
        else { return }
        tellPeer(peer)
    }

    mutating func backlogsDue() {
        for peer in backlogs.dropOver(&turn) { tellPeer(peer) }
    }
}
