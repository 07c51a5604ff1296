import FoundationEssentials
import ParlanceRecords
import ParlanceSodium
import ParlanceWire

// Couriers: the prekeys that peers are given, the envelopes kept for others, and the envelopes for this node
// (couriers.md).
extension Engine {
    /// Schedules sending the peer what it ignored before, or has lost since.
    mutating func scheduleCourier(on id: LinkID) {
        turn.deadlines[.courier(id)] = turn.now.monotonic + Limits.courierDelayMilliseconds
    }

    /// Sends the peer prekeys a moment after the link was opened. The peer seals to them what it writes while this node
    /// is away.
    mutating func courierDue(_ id: LinkID) {
        guard let link = links[id], !link.closing, link.helloReceived, contacts.isAccepted(link.peer) else { return }
        let isNew = couriers.renewPrekeys(for: link.peer, &turn)
        if isNew || !turn.batch.rows.prekeys.isEmpty || turn.writing?.rows.prekeys.isEmpty == false {
            turn.whenDurable(.sendPrekeys(id))
        } else {
            sendPrekeys(on: id)
        }
        // The peer ignored envelopes before it had accepted this node.
        handOverNext(on: id, isAgain: true)
        if couriers.carries(for: link, people) { considerDeposits() }
    }

    mutating func sendPrekeys(on id: LinkID) {
        guard let link = links[id], !link.closing, let own = couriers.prekeys(for: link.peer, turn.now) else { return }
        let prekeys = PeerPrekeys(daily: own.daily, oneTime: own.oneTime, with: turn.own.signer)
        send(.prekeys(prekeys.frame), on: id)
    }

    mutating func prekeysReceived(_ frame: WirePrekeys, on id: LinkID) throws(Breach) {
        // Stored keys were verified when they came.
        guard let link = links[id], let record = contacts[link.peer], record.isAccepted,
            record.prekeys != frame.encodedBytes()
        else { return }
        guard let prekeys = PeerPrekeys(frame) else { throw .prekeysFields }
        guard prekeys.isSigned(by: link.peer) else { throw .prekeysSignature }
        // If the peer's clock is ahead, its new keys cannot be used yet. Keys that can be used now stay.
        guard prekeys.isUsable(at: turn.now) || record.usablePrekeys(at: turn.now) == nil else { return }
        let unused = prekeys.without(couriers.oneTimeUsed(for: record))
        contacts.keepPrekeys(unused.encoded, of: link.peer, lazily: true, &turn)
    }

    // As a courier.

    mutating func depositReceived(_ deposit: WireDeposit, on id: LinkID) throws(Breach) {
        guard let link = links[id] else { return broken("a frame arrives on an open link") }
        guard deposit.hasEnvelope, deposit.envelope.isWellFormed,
            deposit.replaces.isEmpty || EnvelopeID(deposit.replaces) != nil,
            let recipient = PeerID(deposit.envelope.recipient)
        else { throw .depositFields }
        let record = EnvelopeRecord(
            id: deposit.envelope.id,
            depositor: link.peer,
            recipient: recipient,
            expires: Int64(clamping: deposit.envelope.expires),
            byteCount: deposit.envelope.sealed.count
        )
        let envelope = StoredEnvelope(record: record, bytes: deposit.envelope.encodedBytes())
        let replaced = EnvelopeID(deposit.replaces)
        route(couriers.deposit(envelope, replacing: replaced, on: link, people, &turn))
    }

    /// An envelope was stored durably, or was dropped again meanwhile.
    mutating func deposited(_ envelope: EnvelopeID, on id: LinkID) {
        sendDeposited(envelope, held: couriers.isCarried(envelope), on: id)
        if let recipient = couriers.recipient(of: envelope), let link = mainLink(of: recipient) {
            handOverNext(on: link.id)
        }
    }

    mutating func sendDeposited(_ envelope: EnvelopeID, held: Bool, on id: LinkID) {
        var answer = WireDeposited()
        answer.envelope = Data(envelope.bytes)
        answer.held = held
        send(.deposited(answer), on: id)
    }

    /// Sends a recipient the next envelope that is stored for it.
    mutating func handOverNext(on id: LinkID, isAgain: Bool = false) {
        guard let link = links[id],
            let next = couriers.handOver(on: link, stored.envelopes, isAgain: isAgain, people)
        else { return }
        turn.read(next, for: .handOver(id))
    }

    mutating func envelopeRead(_ read: ReadID, _ bytes: [UInt8]?) {
        let purpose = turn.reads.take(read)
        if case .parcel(let packing) = purpose { return parcelEnvelopeRead(bytes, packing) }
        guard case .handOver(let id) = purpose, let envelope = couriers.beingHandedOver(on: id) else { return }
        guard let bytes, let wire = WireEnvelope(decoding: bytes) else {
            couriers.dropBroken(envelope, on: id, &turn)
            return handOverNext(on: id)
        }
        var frame = WireHandOver()
        frame.envelope = wire
        send(.handOver(frame), on: id)
    }

    mutating func takenReceived(_ taken: WireTaken, on id: LinkID) throws(Breach) {
        guard let link = links[id], let envelope = EnvelopeID(taken.envelope) else {
            throw .takenFields
        }
        guard !taken.noRoom else { return hasNoRoom(for: envelope, on: link) }
        guard Ed25519.verify([UInt8](taken.signature), of: Self.bytesToSign(envelope), by: link.peer.bytes) else {
            throw .takenSignature
        }
        couriers.taken(envelope, on: link, &turn)
        handOverNext(on: id)
    }

    /// The recipient has no room for what is in an envelope. Others are handed over, and this one is tried again.
    private mutating func hasNoRoom(for envelope: EnvelopeID, on link: Link) {
        guard couriers.postpone(envelope, on: link) else { return }
        turn.deadlines.advance(.courier(link.id), to: turn.now.monotonic + Limits.handOverAgainMilliseconds)
        handOverNext(on: link.id)
    }

    private static func bytesToSign(_ taken: EnvelopeID) -> [UInt8] { [Domain.taken] + taken.bytes }

    // As the recipient.

    mutating func handOverReceived(_ frame: WireHandOver, on id: LinkID) throws(Breach) {
        guard let link = links[id], contacts.isAccepted(link.peer) else { return }
        guard frame.hasEnvelope, frame.envelope.isWellFormed, PeerID(frame.envelope.recipient) == identity else {
            throw .handOverFields
        }
        // Without its key an envelope cannot be opened. The courier need not keep it, since the author keeps the
        // messages.
        guard takeContents(of: frame.envelope, via: link.peer) != nil else {
            return sendNoRoom(for: frame.envelope.id, on: id)
        }
        turn.whenDurable(.taken(id, frame.envelope.id))
    }

    /// Takes what is in an envelope for this node.
    ///
    /// - Parameter isByHand: whether the user brought it, so that it is taken in any case.
    /// - Returns: the events that are new here; `nil` if there is no room for more of their author. Then the keys stay.
    mutating func takeContents(
        of envelope: WireEnvelope,
        via courier: PeerID,
        isByHand: Bool = false
    ) -> [StoredEvent]? {
        let oneTime = PrekeyID(envelope.oneTime)
        guard let key = PrekeyID(envelope.prekey).flatMap({ couriers.prekey($0) }),
            oneTime == nil || oneTime.flatMap({ couriers.prekey($0) }) != nil,
            let run = envelope.open(prekey: key, oneTime: oneTime.flatMap { couriers.prekey($0) })
        else { return [] }
        guard let new = takeSealed(run, via: courier, isByHand: isByHand) else { return nil }
        if let oneTime { couriers.erasePrekeys([oneTime], &turn) }
        return new
    }

    /// Takes a run from an envelope. It must belong to the direct conversation with its author, whoever carried it.
    private mutating func takeSealed(_ wire: WireEvents, via courier: PeerID, isByHand: Bool) -> [StoredEvent]? {
        guard let conversation = ConversationID(wire.conversation), let run = ReceivedRun(wire, of: conversation),
            run.named.author != identity, people.exchanges(with: run.named.author),
            conversation == ConversationID(direct: identity, run.named.author)
        else { return [] }
        createDirect(with: run.named.author)
        guard isByHand || fullUntil(for: run, LogKey(conversation, run.named)) == nil else { return nil }
        guard case .taken(let new) = takeCarried(run, via: courier) else { return [] }
        return new
    }

    /// Takes a run that came without a link to somebody who holds the log, in a conversation that is kept here and in
    /// which its author may write.
    mutating func takeCarried(_ run: ReceivedRun, via courier: PeerID) -> OnCarriedRun {
        guard run.place == .unsaid, let conversation = conversations[run.conversation] else { return .refused }
        // If the log is forked, a later link with its author settles which branch the run continues.
        guard conversation.branches(of: run.named).isEmpty else {
            return end(of: run, in: conversation).map { .unread($0) } ?? .forked
        }
        let held = conversation.held(of: run.named)
        do {
            let events = try RunVerifier.verify(run.events, of: run.named, in: run.conversation, after: held)
            if !events.isEmpty { hold(events, via: courier, LogKey(run.conversation, run.named)) }
            // A run that ends where our log ends was compared by the verifier.
            guard let end = end(of: run, in: conversation), end.position != held else { return .taken(events) }
            return .unread(end)
        } catch {
            return switch error {
            case .gap: .gap
            case .doesNotChain: .forked
            case .breach: .refused
            }
        }
    }

    /// The end of a run, if it may be held already.
    private func end(of run: ReceivedRun, in conversation: Conversation) -> CarriedEnd? {
        guard let last = run.events.last, let sequence = last.header?.sequence else { return nil }
        let places = conversation.places(of: sequence, named: run.named)
        guard !places.isEmpty else { return nil }
        return CarriedEnd(
            conversation: run.conversation,
            author: run.named.author,
            position: LogPosition(sequence: sequence, head: last.id),
            signature: last.signature,
            places: places
        )
    }

    private mutating func sendNoRoom(for envelope: EnvelopeID, on id: LinkID) {
        var taken = WireTaken()
        taken.envelope = Data(envelope.bytes)
        taken.noRoom = true
        send(.taken(taken), on: id)
    }

    mutating func sendTaken(_ envelope: EnvelopeID, on id: LinkID) {
        var taken = WireTaken()
        taken.envelope = Data(envelope.bytes)
        taken.signature = Data(turn.own.signer.sign(Self.bytesToSign(envelope)))
        send(.taken(taken), on: id)
    }
}
