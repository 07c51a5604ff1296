import ParlanceWire

// What the user says of a peer: that it is declined, blocked, verified (contacts.md, verification.md).
extension Engine {
    /// A request goes away; nobody is told, and what the peer asks within a day is passed over.
    mutating func decline(_ id: PeerID, command: CommandID) {
        guard contacts[id]?.request != nil else {
            return turn.refuse(command, .contact(.noRequest(named(id))))
        }
        let before = view(of: id)
        contacts.decline(id, &turn)
        answer(command, view(of: id), from: before)
        tellPeer(id)
    }

    mutating func block(_ id: PeerID, command: CommandID) {
        let before = view(of: id)
        contacts.block(id, &turn)
        dialing.dropAddresses(of: id)
        // Its links end once this is durable.
        answer(command, view(of: id, over: nil), from: before)
        turn.whenDurable(.refuse(id))
        tellPeer(id)
    }

    /// The peer is blocked, durably: its links end.
    mutating func refuse(_ id: PeerID) {
        guard contacts.isBlocked(id) else { return }
        for link in links.open(with: id) {
            turn.emit(.admit(link.id, accepted: false))
            refuse(link.id)
        }
    }

    /// The peer is trusted as it was before it was blocked; a request it had then is not brought back.
    mutating func unblock(_ id: PeerID, command: CommandID) {
        guard contacts.isBlocked(id) else {
            return turn.refuse(command, .contact(.notBlocked(named(id))))
        }
        let before = view(of: id)
        contacts.unblock(id, &turn)
        if isAccepted(id) { return accept(id, command: command) }
        answer(command, view(of: id), from: before)
        tellPeer(id)
    }

    /// Only somebody accepted can be verified: whoever has compared numbers with somebody knows them.
    mutating func setVerified(_ isVerified: Bool, _ id: PeerID, command: CommandID) {
        switch contacts[id]?.trust {
        case .accepted, .verified: break
        case .blocked: return turn.refuse(command, .contact(.blocked(named(id), .toChange)))
        case .unknown, nil: return turn.refuse(command, .contact(.verifiesStranger(named(id))))
        }
        let before = view(of: id)
        contacts.setVerified(isVerified, id, &turn)
        answer(command, view(of: id), from: before)
        tellPeer(id)
    }
}
