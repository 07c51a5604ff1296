import Foundation
import ParlanceWire

// Messages for a peer that is away are left with couriers (couriers.md, "Depositing").
extension Engine {
    mutating func setCourier(_ id: PeerID, _ isCourier: Bool, command: CommandID) {
        guard isAccepted(id) else {
            return turn.fail(
                command,
                .notAllowed,
                "\(displayName(of: contacts[id] ?? PeerRecord(id: id))) is not accepted here.",
                "Accept them first; only people you know carry messages."
            )
        }
        contacts.setCourier(isCourier, id, &turn)
        turn.whenDurable(.answer(command, .done))
        tellPeer(id)
        considerDeposits()
    }

    /// Looks in a moment at all peers for which something waits.
    mutating func considerDeposits() {
        for peer in contacts.ids.filter({ awaits($0) }) { considerDeposit(for: peer) }
    }

    /// A link is gone: its peer may be away now, and what the peer was asked to carry it may not hold. Nobody else is looked at,
    /// since in a flood links of strangers go by the thousand.
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

    /// Whether messages wait for somebody who is away and whose prekeys are here.
    private func awaits(_ peer: PeerID) -> Bool {
        isAccepted(peer) && contacts[peer]?.prekeys != nil && mainLink(of: peer) == nil
            && hasPending(ConversationID(direct: identity, peer), for: peer)
    }

    /// How far a peer has this node's own log of their conversation.
    private func reached(by peer: PeerID) -> UInt64 {
        conversations[ConversationID(direct: identity, peer)]?.reached(ownLog, by: peer, at: .delivered).sequence ?? 0
    }

    /// Deposits that count: not expired, and with something that the recipient is not known to have.
    func deposits(for peer: PeerID) -> [DepositRecord] {
        let reached = reached(by: peer)
        return (contacts[peer]?.deposits ?? []).filter {
            $0.expires > turn.now.wall && $0.replica == replica.bytes && $0.through > reached
        }
    }

    /// The links of those who are to get what waits for a peer.
    private func couriers(for peer: PeerID, through: UInt64) -> [Link] {
        couriers.chosen(for: peer, deposits(for: peer), through: through, links, people)
    }

    mutating func depositDue(_ peer: PeerID) {
        let conversation = ConversationID(direct: identity, peer)
        guard awaits(peer), usablePrekeys(of: peer) != nil,
            let last = conversations[conversation]?.logs[ownLog]?.durable.position.sequence,
            !couriers(for: peer, through: last).isEmpty,
            contacts[peer]?.refusedThrough ?? 0 < last
        else { return }
        let request = ReadRequest(
            conversation: conversation,
            log: ownLog,
            from: reached(by: peer) + 1,
            through: last,
            byteLimit: Limits.envelopeBytes / 2
        )
        turn.read(request, for: .envelope(peer))
    }

    mutating func envelopeEventsRead(_ events: [StoredEvent], for peer: PeerID) {
        let conversation = ConversationID(direct: identity, peer)
        guard awaits(peer), let prekeys = usablePrekeys(of: peer), let log = conversations[conversation]?.logs[ownLog],
            let run = Links.frames(of: events).first, let last = run.last, last.branch == nil
        else { return }
        var wire = WireEvents()
        wire.conversation = Data(conversation.bytes)
        wire.events = run.map(\.wire)
        let sealed = WireEnvelope.seal(
            wire,
            to: peer,
            prekey: prekeys.daily,
            oneTime: prekeys.oneTime,
            ephemeral: couriers.newSecret(),
            expires: prekeys.expires
        )
        guard let envelope = sealed, envelope.isWellFormed else { return }
        let oneTime = prekeys.oneTime
        if !oneTime.isEmpty { useUp(oneTime, of: peer, prekeys) }
        let known = deposits(for: peer)
        for link in couriers(for: peer, through: log.durable.position.sequence) {
            var deposit = WireDeposit()
            deposit.envelope = envelope
            if let held = known.first(where: { $0.courier == link.peer.bytes }) {
                deposit.replaces = Data(held.envelope)
            }
            let record = DepositRecord(
                courier: link.peer.bytes,
                envelope: envelope.id.bytes,
                oneTime: oneTime,
                replica: replica.bytes,
                through: last.header.sequence,
                expires: prekeys.expires
            )
            couriers.ask(link.id, toKeep: envelope.id, PendingDeposit(recipient: peer, record: record))
            // A key that is used once is marked as used first.
            turn.whenDurable(.deposit(link.id, deposit))
        }
    }

    private mutating func useUp(_ oneTime: [UInt8], of peer: PeerID, _ prekeys: PeerPrekeys) {
        contacts.keepPrekeys(prekeys.without([oneTime]).encoded, of: peer, lazily: false, &turn)
    }

    mutating func depositedReceived(_ answer: WireDeposited, on id: LinkID) {
        guard let envelope = EnvelopeID(answer.envelope) else { return breakLink(id, .depositedFields) }
        guard let pending = couriers.answered(envelope, isHeld: answer.held, on: id) else { return }
        guard answer.held else { return considerDeposit(for: pending.recipient) }
        let others = deposits(for: pending.recipient).filter { $0.courier != pending.record.courier }
        contacts.keepDeposits(others + [pending.record], for: pending.recipient, &turn)
        let conversation = ConversationID(direct: identity, pending.recipient)
        turn.whenDurable(.tellDelivery(conversation))
        // More may have been written meanwhile.
        if conversations[conversation]?.logs[ownLog]?.durable.position.sequence ?? 0 > pending.record.through {
            considerDeposit(for: pending.recipient)
        }
    }
}
