import Foundation
import ParlanceWire

// What one writes to somebody who is away is left with couriers (couriers.md, "Depositing").
extension Engine {
    /// Whether a peer carries envelopes for us and we for it: both say so, or the workspace does.
    func mayCarry(_ link: Link) -> Bool {
        guard !link.closing, link.helloReceived, let record = peers[link.peer]?.record,
            peers[link.peer]?.isAccepted == true
        else { return false }
        return link.workspaceTag != nil || record.isCourier
    }

    /// Whether a deposit for somebody may go over a link.
    func mayTake(_ link: Link, for peer: PeerID) -> Bool {
        link.peer != peer && mayCarry(link) && mainLink(of: link.peer)?.id == link.id && !link.declines.contains(peer)
    }

    mutating func setCourier(_ id: PeerID, _ isCourier: Bool, command: CommandID) {
        guard peers[id]?.isAccepted == true else {
            return turn.fail(
                command,
                .notAllowed,
                "\(displayName(of: peers[id]?.record ?? PeerRecord(id: id))) is not accepted here.",
                "Accept them first; only people you know carry messages."
            )
        }
        peers[id]?.record.isCourier = isCourier
        turn.save(id)
        turn.whenDurable(.answer(command, .done))
        tellPeer(id)
        considerDeposits()
    }

    /// Looks in a moment at everybody for whom something waits.
    mutating func considerDeposits() {
        for peer in peers.keys.filter({ awaits($0) }).sorted() { considerDeposit(for: peer) }
    }

    /// A link is gone: its peer may be away now, and what the peer was asked to carry it may not hold. Nobody else is looked at,
    /// since in a flood links of strangers go by the thousand.
    mutating func considerDeposits(after link: Link) {
        let concerned = Set(link.depositing.values.map(\.recipient) + [link.peer])
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
        peers[peer]?.isAccepted == true && peers[peer]?.record.prekeys != nil && mainLink(of: peer) == nil
            && hasPending(ConversationID(direct: identity, peer), for: peer)
    }

    /// Deposits that count: not expired, and with something that the recipient is not known to have.
    func deposits(for peer: PeerID) -> [DepositRecord] {
        let reached =
            conversations[ConversationID(direct: identity, peer)]?.reached(ownLog, by: peer, at: .delivered).sequence
            ?? 0
        return (peers[peer]?.record.deposits ?? []).filter {
            $0.expires > turn.now.wall && $0.replica == replica.bytes && $0.through > reached
        }
    }

    mutating func depositDue(_ peer: PeerID) {
        let conversation = ConversationID(direct: identity, peer)
        guard awaits(peer), usablePrekeys(of: peer) != nil,
            let log = conversations[conversation]?.logs[ownLog], !couriers(for: peer, log).isEmpty,
            peers[peer]?.record.refusedThrough ?? 0 < log.durable.position.sequence
        else { return }
        let reached = conversations[conversation]?.reached(ownLog, by: peer, at: .delivered).sequence ?? 0
        let request = ReadRequest(
            conversation: conversation,
            log: ownLog,
            from: reached + 1,
            through: log.durable.position.sequence,
            byteLimit: Limits.envelopeBytes / 2
        )
        turn.read(request, for: .envelope(peer))
    }

    /// The links of those who are to get what waits for a peer: couriers that have an older part, and new ones.
    private func couriers(for peer: PeerID, _ log: LogState) -> [LinkID] {
        let through = log.durable.position.sequence
        let known = deposits(for: peer)
        let asked = links.values.filter { link in link.depositing.values.contains { $0.recipient == peer } }
        // Whoever has not answered yet may hold it in the end.
        let holders = Set(known.map(\.courier) + asked.map(\.peer.bytes))
        var places = Limits.couriers - holders.count
        var chosen: [LinkID] = []
        for link in links.values.sorted(by: { $0.peer < $1.peer }) {
            guard mayTake(link, for: peer), !asked.contains(where: { $0.id == link.id }) else { continue }
            if let held = known.first(where: { $0.courier == link.peer.bytes }) {
                if held.through < through { chosen.append(link.id) }
            } else if places > 0 {
                places -= 1
                chosen.append(link.id)
            }
        }
        return chosen
    }

    mutating func envelopeEventsRead(_ events: [StoredEvent], for peer: PeerID) {
        let conversation = ConversationID(direct: identity, peer)
        guard awaits(peer), let keys = usablePrekeys(of: peer), let log = conversations[conversation]?.logs[ownLog],
            let run = Links.frames(of: events).first, let last = run.last, last.branch == nil
        else { return }
        var wire = WireEvents()
        wire.conversation = Data(conversation.bytes)
        wire.events = run.map(\.wire)
        let oneTime = keys.oneTime.first ?? []
        guard
            let envelope = WireEnvelope.seal(
                wire,
                to: peer,
                prekey: keys.daily,
                oneTime: oneTime,
                ephemeral: keySource.next(),
                expires: keys.expires
            ), envelope.isWellFormed
        else { return }
        if !oneTime.isEmpty { useUp(oneTime, of: peer) }
        let known = deposits(for: peer)
        for id in couriers(for: peer, log) {
            guard let courier = links[id]?.peer else { continue }
            var deposit = WireDeposit()
            deposit.envelope = envelope
            if let held = known.first(where: { $0.courier == courier.bytes }) { deposit.replaces = Data(held.envelope) }
            let record = DepositRecord(
                courier: courier.bytes,
                envelope: envelope.id.bytes,
                oneTime: oneTime,
                replica: replica.bytes,
                through: last.header.sequence,
                expires: keys.expires
            )
            links[id]?.depositing[envelope.id] = PendingDeposit(recipient: peer, record: record)
            // A key that is used once is marked as used first.
            turn.whenDurable(.deposit(id, deposit))
        }
    }

    /// A one-time key of somebody is used once.
    private mutating func useUp(_ oneTime: [UInt8], of peer: PeerID) {
        guard let bytes = peers[peer]?.record.prekeys, var frame = WirePrekeys(decoding: bytes) else { return }
        frame.oneTime.removeAll { [UInt8]($0) == oneTime }
        peers[peer]?.record.prekeys = frame.encodedBytes()
        turn.save(peer)
    }

    mutating func depositedReceived(_ answer: WireDeposited, on id: LinkID) {
        guard let envelope = EnvelopeID(answer.envelope) else { return breakLink(id, .depositedFields) }
        guard let pending = links[id]?.depositing.removeValue(forKey: envelope) else { return }
        guard answer.held else {
            links[id]?.declines.insert(pending.recipient)
            return considerDeposit(for: pending.recipient)
        }
        let others = deposits(for: pending.recipient).filter { $0.courier != pending.record.courier }
        peers[pending.recipient]?.record.deposits = others + [pending.record]
        turn.save(pending.recipient)
        let conversation = ConversationID(direct: identity, pending.recipient)
        turn.whenDurable(.tellDelivery(conversation))
        // More may have been written meanwhile.
        if conversations[conversation]?.logs[ownLog]?.durable.position.sequence ?? 0 > pending.record.through {
            considerDeposit(for: pending.recipient)
        }
    }
}
