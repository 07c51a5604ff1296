import FoundationEssentials
import ParlanceHistory
import ParlanceRecords
import ParlanceSodium
import ParlanceWire

// Taking what others have packed for this node into files (carry.md, "Taking").
extension Engine {
    mutating func takeParcel(_ bytes: [UInt8], slot: Int, from peer: PeerID, _ id: CommandID) {
        guard !refusesCarrying(for: peer, id) else { return }
        guard bytes.count <= Limits.parcelBytes,
            let content = WireParcel(decoding: bytes)?.open(from: peer, to: identity, slot: slot),
            let replica = ReplicaID(content.replica)
        else { return turn.emit(.answer(id, .success(.taken(TakenParcel(outcome: .damaged))))) }
        if content.hasPrekeys { takeCarried(content.prekeys, from: peer) }
        guard content.hasEnvelope else {
            return turn.whenDurable(.answer(id, .taken(TakenParcel(outcome: .keysOnly))))
        }
        guard let load = unseal(content.envelope) else {
            return turn.whenDurable(.answer(id, .taken(TakenParcel(outcome: .unreadable))))
        }
        var taking = ParcelTaking(command: id, peer: peer, replica: replica)
        taking.result.files = load.files.prefix(Limits.sealedFileSlots).compactMap { CarriedFile($0) }
        for invite in load.invites { take(invite, &taking) }
        for run in load.runs { take(run, &taking) }
        // What this node, as a recipient, could not open was taken before, or has expired.
        for envelope in load.envelopes where envelope.isWellFormed && PeerID(envelope.recipient) == identity {
            taking.result.count(takeContents(of: envelope, via: peer, isByHand: true) ?? [])
        }
        for watermarks in load.receipts {
            guard let conversation = ConversationID(watermarks.conversation) else { continue }
            taking.receipts += watermarks.entries.compactMap { WatermarkRecord($0, in: conversation) }
        }
        taking.receipts.reverse()
        // A receipt counts only once the events that it is about are durable.
        turn.whenDurable(.takeReceipts(taking))
    }

    /// Keeps prekeys from a stick, which may have lain there for days, only if they are newer.
    private mutating func takeCarried(_ wire: WirePrekeys, from peer: PeerID) {
        guard let prekeys = PeerPrekeys(wire), wire.oneTime.isEmpty, prekeys.isSigned(by: peer),
            prekeys.isUsable(at: turn.now), let record = contacts[peer]
        else { return }
        if let known = record.usablePrekeys(at: turn.now), known.made >= prekeys.made { return }
        contacts.keepPrekeys(prekeys.encoded, of: peer, lazily: false, &turn)
    }

    private func unseal(_ sealed: WireEnvelope) -> WireParcelLoad? {
        var envelope = sealed
        envelope.recipient = Data(identity.bytes)
        guard envelope.isWellFormed, envelope.oneTime.isEmpty,
            let key = PrekeyID(envelope.prekey).flatMap({ couriers.prekey($0) })
        else { return nil }
        return envelope.unseal(prekey: key, oneTime: nil).flatMap { WireParcelLoad(decoding: $0) }
    }

    private mutating func take(_ invite: WireInvite, _ taking: inout ParcelTaking) {
        guard let conversation = ConversationID(invite.conversation) else { return taking.result.note(.refused) }
        let inviter = Conversations.Inviter(peer: taking.peer, isAccepted: true)
        let events = invite.events.map { ReceivedEvent($0) }
        let known = conversations[conversation]?.group?.membership.events.count ?? 0
        do throws(Breach) {
            switch try conversations.invited(to: conversation, by: inviter, events, after: nil, &turn) {
            case .members(let members):
                contacts.remember(members, &turn)
                taking.result.changes += (conversations[conversation]?.group?.membership.events.count ?? known) - known
            case .incomplete: taking.result.note(.uninvited)
            case .nothing: break
            }
        } catch {
            taking.result.note(.refused)
        }
    }

    private mutating func take(_ wire: WireEvents, _ taking: inout ParcelTaking) {
        guard let conversation = ConversationID(wire.conversation), let run = ReceivedRun(wire, of: conversation),
            run.named.author != identity
        else { return taking.result.note(.refused) }
        guard admits(conversation, with: taking.peer) else { return taking.result.note(.uninvited) }
        if conversations[conversation] == nil { createDirect(with: taking.peer) }
        guard conversations[conversation]?.mayWrite(run.named.author, identity) == true else {
            return taking.result.note(.uninvited)
        }
        switch takeCarried(run, via: taking.peer) {
        case .taken(let events): taking.result.count(events)
        case .gap: taking.result.note(.gap)
        case .forked: taking.result.note(.forked)
        case .refused: taking.result.note(.refused)
        }
    }

    // Receipts.

    /// Takes the receipts of a parcel one by one. Where a receipt is about one of our logs, the event that it names may
    /// have to be read first.
    mutating func takeReceipts(_ parcel: ParcelTaking) {
        var taking = parcel
        while let mark = taking.receipts.last {
            if counts(mark, taking) {
                switch conversations[mark.key.conversation]?.claim(of: mark.position, in: mark.key.log, turn) {
                case .held where conversations.take(mark, from: taking.peer, &turn):
                    taking.result.receipts += 1
                    countMarks([mark.key], of: mark.key.conversation)
                case .unread where !taking.hasRead:
                    taking.hasRead = true
                    let request = ReadRequest(
                        conversation: mark.key.conversation,
                        log: mark.key.log,
                        from: mark.position.sequence,
                        through: mark.position.sequence,
                        byteLimit: 1
                    )
                    turn.read(request, for: .receipt(taking))
                    return
                default: break
                }
            }
            taking.receipts.removeLast()
            taking.hasRead = false
        }
        turn.whenDurable(.answer(taking.command, .taken(taking.result)))
    }

    mutating func receiptRead(_ event: StoredEvent?, _ taking: ParcelTaking) {
        if let mark = taking.receipts.last {
            _ = conversations.claimRead(
                event,
                at: mark.position.sequence,
                of: LogKey(mark.key.conversation, mark.key.log)
            )
        }
        takeReceipts(taking)
    }

    /// Whether a receipt is new, and made by somebody who may make it. It was verified before its event was read.
    private func counts(_ mark: WatermarkRecord, _ taking: ParcelTaking) -> Bool {
        let (key, id) = (mark.key, mark.key.conversation)
        guard let conversation = conversations[id], mark.position.sequence > conversation.marks.through(key),
            admits(id, with: taking.peer),
            conversations.maySpeak(key, in: id, by: taking.peer, taking.replica, turn.own)
        else { return false }
        if taking.hasRead { return true }
        guard let signature = mark.signature, signature.count == 64 else { return false }
        return Ed25519.verify(signature, of: WatermarkSeal.bytes(key, mark.position), by: key.member.bytes)
    }
}
