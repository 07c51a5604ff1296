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
        // Runs are compared with what is durable, and a receipt counts only once the events that it is about are.
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
        case .unread(let end): taking.ends.append(end)
        case .gap: taking.result.note(.gap)
        case .forked: taking.result.note(.forked)
        case .refused: taking.result.note(.refused)
        }
    }

    // Runs of which nothing was taken.

    /// Reads what is held where the next such run ends.
    private mutating func compareNext(_ end: CarriedEnd, _ taking: ParcelTaking) {
        guard let log = end.places.last else { return broken("a run that may be held is compared with some log") }
        let sequence = end.position.sequence
        let request = ReadRequest(
            conversation: end.conversation,
            log: log,
            from: sequence,
            through: sequence,
            byteLimit: 1
        )
        turn.read(request, for: .receipt(taking))
    }

    /// Compares the end of a run with what was read. If no log or branch has it, and its author signed it, the run is
    /// of another branch: the user is told that it was not taken, since no clock will tell.
    private mutating func compared(_ event: StoredEvent?, with end: CarriedEnd, _ parcel: ParcelTaking) {
        var (taking, rest) = (parcel, end)
        taking.ends.removeLast()
        if event?.id != end.position.head, let log = rest.places.popLast() {
            // A log that was divided meanwhile is shorter; what is durable can be read.
            let durable = conversations[end.conversation]?.durableThrough(log) ?? 0
            guard event != nil || durable < end.position.sequence else { return turn.refuse(taking.command, .notRead) }
            if !rest.places.isEmpty {
                taking.ends.append(rest)
            } else {
                taking.result.note(end.isSigned ? .forked : .refused)
            }
        }
        takeReceipts(taking)
    }

    // Receipts.

    /// Takes the receipts of a parcel one by one, once its runs are compared. Where a receipt is about one of our logs,
    /// the event that it names may have to be read first.
    mutating func takeReceipts(_ parcel: ParcelTaking) {
        if let end = parcel.ends.last { return compareNext(end, parcel) }
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
        if let end = taking.ends.last { return compared(event, with: end, taking) }
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
