import ParlanceWire

// What the user says of a peer: that it is declined, blocked, verified (contacts.md, verification.md).
extension Engine {
    /// A request goes away; nobody is told, and what the peer asks within a day is passed over.
    mutating func decline(_ id: PeerID, command: CommandID) {
        guard peers[id]?.record.request != nil else {
            return turn.fail(
                command,
                .notWaiting,
                "\(view(of: id).displayName) does not ask to talk.",
                "See \"parlance requests\" for who does."
            )
        }
        peers[id]?.record.request = nil
        peers[id]?.record.declined = turn.now.wall
        turn.save(id)
        turn.whenDurable(.answer(command, .done))
        tellPeer(id)
    }

    /// Whether a request of the peer was declined less than a day ago; a clock that was set back does not make it longer.
    func wasJustDeclined(_ id: PeerID) -> Bool {
        guard let declined = peers[id]?.record.declined else { return false }
        let age = turn.now.wall.subtractingReportingOverflow(declined)
        return !age.overflow && (0..<Limits.declinedMilliseconds).contains(age.partialValue)
    }

    mutating func block(_ id: PeerID, command: CommandID) {
        if let trust = peers[id]?.record.trust, trust != .blocked { peers[id]?.record.trustBefore = trust }
        peers[id]?.record.trust = .blocked
        peers[id]?.record.request = nil
        peers[id]?.record.answerGiven = nil
        turn.save(id)
        dialing.dropAddresses(of: id)
        turn.whenDurable(.answer(command, .done))
        turn.whenDurable(.refuse(id))
        tellPeer(id)
    }

    /// The peer is blocked, durably: its links end.
    mutating func refuse(_ id: PeerID) {
        guard peers[id]?.record.trust == .blocked else { return }
        for link in links.open(with: id) {
            turn.emit(.admit(link.id, accepted: false))
            refuse(link.id)
        }
    }

    /// The peer is trusted as it was before it was blocked; a request it had then is not brought back.
    mutating func unblock(_ id: PeerID, command: CommandID) {
        guard let record = peers[id]?.record, record.trust == .blocked else {
            return turn.fail(
                command,
                .invalidValue,
                "\(view(of: id).displayName) is not blocked.",
                "Nothing was changed. See \"parlance peers\" for who is."
            )
        }
        let before = record.trustBefore ?? .unknown
        peers[id]?.record.trust = before
        if peers[id]?.isAccepted == true { return accept(id, command: command) }
        peers[id]?.record.trustBefore = nil
        turn.save(id)
        turn.whenDurable(.answer(command, .done))
        tellPeer(id)
    }

    /// Only somebody accepted can be verified: whom one has compared numbers with one knows.
    mutating func setVerified(_ isVerified: Bool, _ id: PeerID, command: CommandID) {
        let name = view(of: id).displayName
        switch peers[id]?.record.trust {
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
        peers[id]?.record.trust = isVerified ? .verified : .accepted
        turn.save(id)
        turn.whenDurable(.answer(command, .done))
        tellPeer(id)
    }
}
