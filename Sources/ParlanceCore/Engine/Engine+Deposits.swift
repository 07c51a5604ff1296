import ParlanceRecords
import ParlanceWire

// Leaving messages for an absent peer with couriers (couriers.md, "Depositing: Deposit, Deposited").
extension Engine {
    mutating func setCourier(_ id: PeerID, _ isCourier: Bool, command: CommandID) {
        guard contacts.isAccepted(id) else {
            return turn.refuse(command, .contact(.trustsStranger(named(id))))
        }
        let before = view(of: id)
        contacts.setCourier(isCourier, id, &turn)
        answer(command, about: id, from: before)
        tellPeer(id)
        considerDeposits()
    }

    /// Schedules deposits for all peers for which messages wait.
    mutating func considerDeposits() {
        for peer in contacts.ids.filter({ awaits($0) }) { considerDeposit(for: peer) }
    }

    /// Schedules deposits after a link has closed: for its peer, which may be away now, and for the recipients of
    /// envelopes that this peer may not have stored. Other peers are not checked, since a flood of strangers closes
    /// thousands of links.
    mutating func considerDeposits(after link: Link) {
        let concerned = couriers.linkClosed(link.id).union([link.peer])
        for peer in concerned.sorted() where awaits(peer) { considerDeposit(for: peer) }
    }

    mutating func considerDeposit(for peer: PeerID, atOnce isUrgent: Bool = false) {
        turn.deadlines.advance(
            .deposit(peer),
            to: turn.now.monotonic + (isUrgent ? 0 : Limits.courierDelayMilliseconds)
        )
    }

    /// Whether messages wait for a peer that is away and whose prekeys are held here.
    private func awaits(_ peer: PeerID) -> Bool {
        people.exchanges(with: peer) && contacts[peer]?.prekeys != nil && mainLink(of: peer) == nil
            && hasPending(ConversationID(direct: identity, peer), for: peer)
    }

    private func undelivered(to peer: PeerID) -> Undelivered { conversations.undelivered(to: peer, turn.own) }

    /// The deposits for a peer that still count.
    func deposits(for peer: PeerID) -> [DepositRecord] {
        contacts[peer]?.deposits(of: undelivered(to: peer), turn) ?? []
    }

    mutating func depositDue(_ peer: PeerID) {
        guard awaits(peer), let record = contacts[peer] else { return }
        couriers.depositDue(for: record, undelivered(to: peer), links, people, &turn)
    }

    mutating func envelopeEventsRead(_ events: [StoredEvent], for peer: PeerID) {
        guard !events.isEmpty else { return depositLater(for: peer) }
        guard awaits(peer), let record = contacts[peer] else { return }
        let left = couriers.deposit(events, for: record, undelivered(to: peer), links, people, &turn)
        if let left { contacts.keepPrekeys(left.encoded, of: peer, lazily: false, &turn) }
    }

    mutating func depositedReceived(_ answer: WireDeposited, on id: LinkID) throws(Breach) {
        guard let envelope = EnvelopeID(answer.envelope) else { throw .depositedFields }
        guard let pending = couriers.answered(envelope, isHeld: answer.held, on: id) else { return }
        guard answer.held else { return considerDeposit(for: pending.recipient) }
        let others = deposits(for: pending.recipient).filter { $0.courier != pending.record.courier }
        contacts.keepDeposits(others + [pending.record], for: pending.recipient, &turn)
        let waiting = undelivered(to: pending.recipient)
        turn.whenDurable(.tellDelivery(waiting.conversation))
        // More messages may have been written meanwhile.
        if waiting.through > pending.record.through { considerDeposit(for: pending.recipient) }
    }
}
