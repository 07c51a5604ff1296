import ParlanceWire

// What the user says of a peer: that it is declined, blocked, verified (contacts.md, verification.md).
extension Engine {
    /// A request goes away; nobody is told, and what the peer asks within a day is passed over.
    mutating func decline(_ id: PeerID, command: CommandID) {
        guard contacts[id]?.request != nil else {
            return turn.fail(
                command,
                .notWaiting,
                "\(view(of: id).displayName) does not ask to talk.",
                "See \"parlance requests\" for who does."
            )
        }
        contacts.decline(id, &turn)
        turn.whenDurable(.answer(command, .done))
        tellPeer(id)
    }

    mutating func block(_ id: PeerID, command: CommandID) {
        contacts.block(id, &turn)
        dialing.dropAddresses(of: id)
        turn.whenDurable(.answer(command, .done))
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
            return turn.fail(
                command,
                .invalidValue,
                "\(view(of: id).displayName) is not blocked.",
                "Nothing was changed. See \"parlance peers\" for who is."
            )
        }
        contacts.unblock(id, &turn)
        if isAccepted(id) { return accept(id, command: command) }
        turn.whenDurable(.answer(command, .done))
        tellPeer(id)
    }

    /// Only somebody accepted can be verified: whom one has compared numbers with one knows.
    mutating func setVerified(_ isVerified: Bool, _ id: PeerID, command: CommandID) {
        let name = view(of: id).displayName
        switch contacts[id]?.trust {
        case .accepted, .verified: break
        case .blocked:
            return turn.fail(
                command,
                .blocked,
                "You have blocked \(name).",
                "Nothing was changed. To end that: parlance unblock \(id.prefix)"
            )
        case .unknown, nil:
            return turn.fail(
                command,
                .notAllowed,
                "\(name) is not accepted yet, and only somebody accepted can be verified.",
                "Nothing was changed. To accept: parlance accept \(id.prefix)"
            )
        }
        contacts.setVerified(isVerified, id, &turn)
        turn.whenDurable(.answer(command, .done))
        tellPeer(id)
    }
}
