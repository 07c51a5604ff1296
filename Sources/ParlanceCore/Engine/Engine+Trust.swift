import ParlanceWire

// The user's decisions about a peer: declining, blocking, verifying (contacts.md, verification.md).
extension Engine {
    /// Discards a contact request. The sender is not told, and its requests are ignored for a day.
    mutating func decline(_ id: PeerID, command: CommandID) {
        guard contacts[id]?.request != nil else {
            return turn.refuse(command, .contact(.noRequest(named(id))))
        }
        let before = view(of: id)
        contacts.decline(id, &turn)
        answer(command, about: id, from: before)
        tellPeer(id)
    }

    mutating func block(_ id: PeerID, command: CommandID) {
        let before = view(of: id)
        contacts.block(id, &turn)
        pictures.erase(id, &turn)
        couriers.free(id, isBlocked: true, &turn)
        dialing.dropAddresses(of: id)
        // The links end once the block is durable.
        answer(command, about: id, from: before)
        turn.whenDurable(.refuse(id))
        tellPeer(id)
    }

    /// Ends the links with a durably blocked peer.
    mutating func refuse(_ id: PeerID) {
        guard contacts.isBlocked(id) else { return }
        for link in links.open(with: id) {
            turn.emit(.admit(link.id, accepted: false))
            refuse(link.id)
        }
    }

    /// Restores the trust that the peer had before it was blocked. A request that it had made then is not restored.
    mutating func unblock(_ id: PeerID, command: CommandID) {
        guard contacts.isBlocked(id) else {
            return turn.refuse(command, .contact(.notBlocked(named(id))))
        }
        let before = view(of: id)
        contacts.unblock(id, &turn)
        if contacts.isAccepted(id) { return accept(id, command: command) }
        answer(command, about: id, from: before)
        tellPeer(id)
    }

    /// Only an accepted peer can be verified: comparing numbers means knowing the person.
    mutating func setVerified(_ isVerified: Bool, _ id: PeerID, command: CommandID) {
        switch contacts[id]?.trust {
        case .accepted, .verified: break
        case .blocked: return turn.refuse(command, .contact(.blocked(named(id), .toChange)))
        case .unknown, nil: return turn.refuse(command, .contact(.verifiesStranger(named(id))))
        }
        let before = view(of: id)
        contacts.setVerified(isVerified, id, &turn)
        answer(command, about: id, from: before)
        tellPeer(id)
    }
}
