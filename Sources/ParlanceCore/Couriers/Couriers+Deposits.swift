import FoundationEssentials
import ParlanceRecords
import ParlanceWire

// Leaving messages for absent peers with couriers (couriers.md, "Depositing: Deposit, Deposited").
extension Couriers {
    /// Reads the undelivered messages for an absent peer, unless no courier is to get them or the peer refuses them.
    func depositDue(
        for peer: PeerRecord,
        _ waiting: Undelivered,
        _ links: Links,
        _ people: People,
        _ turn: inout Turn
    ) {
        let known = peer.deposits(of: waiting, turn)
        guard peer.usablePrekeys(at: turn.now) != nil, peer.refusedThrough ?? 0 < waiting.through,
            !chosen(for: peer.id, known, through: waiting.through, links, people).isEmpty
        else { return }
        let request = ReadRequest(
            conversation: waiting.conversation,
            log: waiting.log,
            from: waiting.reached + 1,
            through: waiting.through,
            byteLimit: Limits.envelopeBytes / 2
        )
        turn.read(request, for: .envelope(peer.id))
    }

    /// Seals the events for an absent peer and asks couriers to keep the envelope.
    ///
    /// - Returns: the peer's remaining keys; `nil` if no one-time key was used.
    mutating func deposit(
        _ events: [StoredEvent],
        for peer: PeerRecord,
        _ waiting: Undelivered,
        _ links: Links,
        _ people: People,
        _ turn: inout Turn
    ) -> PeerPrekeys? {
        guard let prekeys = peer.usablePrekeys(at: turn.now), let run = Links.frames(of: events).first,
            let last = run.last, last.branch == nil,
            let envelope = seal(run, of: waiting.conversation, to: peer.id, prekeys)
        else { return nil }
        let known = peer.deposits(of: waiting, turn)
        for link in chosen(for: peer.id, known, through: waiting.through, links, people) {
            var deposit = WireDeposit()
            deposit.envelope = envelope
            if let held = known.first(where: { $0.courier == link.peer.bytes }) {
                deposit.replaces = Data(held.envelope)
            }
            let record = DepositRecord(
                courier: link.peer.bytes,
                envelope: envelope.id.bytes,
                oneTime: prekeys.oneTime,
                replica: turn.own.replica.bytes,
                through: last.header.sequence,
                expires: prekeys.expires
            )
            ask(link.id, toKeep: envelope.id, PendingDeposit(recipient: peer.id, record: record))
            // Deposit only once it is on disk that the one-time key is used.
            turn.whenDurable(.deposit(link.id, deposit))
        }
        return prekeys.oneTime.isEmpty ? nil : prekeys.without([prekeys.oneTime])
    }

    private mutating func seal(
        _ run: ArraySlice<StoredEvent>,
        of conversation: ConversationID,
        to peer: PeerID,
        _ prekeys: PeerPrekeys
    ) -> WireEnvelope? {
        var wire = WireEvents()
        wire.conversation = Data(conversation.bytes)
        wire.events = run.map(\.wire)
        let sealed = WireEnvelope.seal(
            wire,
            to: peer,
            prekey: prekeys.daily,
            oneTime: prekeys.oneTime,
            ephemeral: newSecret(),
            expires: prekeys.expires
        )
        return sealed.flatMap { $0.isWellFormed ? $0 : nil }
    }
}
