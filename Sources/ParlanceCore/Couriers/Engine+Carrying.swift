import Foundation
import ParlanceSodium
import ParlanceWire

// Envelopes of others that are kept here, and what comes in envelopes for oneself (couriers.md).
extension Engine {
    // As a courier.

    mutating func depositReceived(_ deposit: WireDeposit, on id: LinkID) {
        guard let link = links[id] else { return }
        guard deposit.hasEnvelope, deposit.envelope.isWellFormed,
            deposit.replaces.isEmpty || EnvelopeID(deposit.replaces) != nil,
            let recipient = PeerID(deposit.envelope.recipient)
        else { return breakLink(id, .depositFields) }
        let envelope = deposit.envelope
        if carried[envelope.id]?.depositor == link.peer { return turn.whenDurable(.deposited(id, envelope.id)) }
        let replaced = EnvelopeID(deposit.replaces).flatMap { carried[$0] }
            .flatMap { $0.depositor == link.peer && $0.recipient == recipient ? $0 : nil }
        let record = EnvelopeRecord(
            id: envelope.id,
            depositor: link.peer,
            recipient: recipient,
            expires: Int64(clamping: envelope.expires),
            byteCount: envelope.sealed.count
        )
        guard mayCarry(link), recipient != identity, recipient != link.peer, peers[recipient]?.isAccepted == true,
            carried[record.id] == nil, hasRoom(for: record, besides: replaced)
        else { return sendDeposited(record.id, held: false, on: id) }
        carried[record.id] = record
        turn.batch.envelopes.append(StoredEnvelope(record: record, bytes: envelope.encodedBytes()))
        if let replaced { eraseEnvelopes([replaced.id]) }
        turn.whenDurable(.deposited(id, record.id))
        scheduleErasure()
    }

    private func hasRoom(for record: EnvelopeRecord, besides replaced: EnvelopeRecord?) -> Bool {
        let latest = turn.now.wall + Limits.envelopeMilliseconds + Limits.prekeyMilliseconds
        guard record.expires > turn.now.wall, record.expires <= latest else { return false }
        let others = carried.values.filter { $0.id != replaced?.id }
        let ofDepositor = others.filter { $0.depositor == record.depositor }
        return ofDepositor.reduce(record.weight) { $0 + $1.weight } <= Limits.depositorBytes
            && others.reduce(record.weight) { $0 + $1.weight } <= Limits.carriedBytes
    }

    func isCarried(_ id: EnvelopeID) -> Bool { carried[id] != nil }

    mutating func deposited(_ envelope: EnvelopeID, on id: LinkID) {
        sendDeposited(envelope, held: isCarried(envelope), on: id)
        if let recipient = carried[envelope]?.recipient, let link = mainLink(of: recipient) {
            handOverNext(on: link.id)
        }
    }

    private mutating func sendDeposited(_ envelope: EnvelopeID, held: Bool, on id: LinkID) {
        var answer = WireDeposited()
        answer.envelope = Data(envelope.bytes)
        answer.held = held
        send(.deposited(answer), on: id)
    }

    /// Gives a recipient the next envelope that is kept for it, one at a time.
    mutating func handOverNext(on id: LinkID) {
        guard let link = links[id], !link.closing, link.handingOver == nil, peers[link.peer]?.isAccepted == true,
            // One that is not on disk yet could not be read.
            let next = carried.values.filter({ $0.recipient == link.peer && stored.envelopes[$0.id] != nil })
                .min(by: { $0.id < $1.id })
        else { return }
        links[id]?.handingOver = next.id
        turn.read(next.id, for: .handOver(id))
    }

    mutating func envelopeRead(_ read: ReadID, _ bytes: [UInt8]?) {
        guard case .handOver(let id) = turn.reads.take(read), let envelope = links[id]?.handingOver else {
            return
        }
        guard let bytes, let wire = WireEnvelope(decoding: bytes) else {
            // It is not there any more, or is none.
            links[id]?.handingOver = nil
            eraseEnvelopes([envelope])
            return handOverNext(on: id)
        }
        var frame = WireHandOver()
        frame.envelope = wire
        send(.handOver(frame), on: id)
    }

    mutating func takenReceived(_ taken: WireTaken, on id: LinkID) {
        guard let link = links[id], let envelope = EnvelopeID(taken.envelope) else {
            return breakLink(id, .takenFields)
        }
        guard Ed25519.verify([UInt8](taken.signature), of: Self.bytesToSign(envelope), by: link.peer.bytes) else {
            return breakLink(id, .takenSignature)
        }
        if carried[envelope]?.recipient == link.peer { eraseEnvelopes([envelope]) }
        // It may have expired, or been replaced, while the peer was taking it: the next one's turn comes all the same.
        if link.handingOver == envelope { links[id]?.handingOver = nil }
        handOverNext(on: id)
    }

    private static func bytesToSign(_ taken: EnvelopeID) -> [UInt8] { [Domain.taken] + taken.bytes }

    // As the recipient.

    mutating func handOverReceived(_ frame: WireHandOver, on id: LinkID) {
        guard let link = links[id], peers[link.peer]?.isAccepted == true else { return }
        guard frame.hasEnvelope, frame.envelope.isWellFormed, PeerID(frame.envelope.recipient) == identity else {
            return breakLink(id, .handOverFields)
        }
        let envelope = frame.envelope
        let oneTime = PrekeyID(envelope.oneTime)
        // A key that is gone opens nothing any more: the courier need not keep it, its author still does.
        if let key = PrekeyID(envelope.prekey).flatMap({ prekeys[$0] }),
            oneTime == nil || oneTime.flatMap({ prekeys[$0] }) != nil,
            let run = envelope.open(prekey: key, oneTime: oneTime.flatMap { prekeys[$0] })
        {
            takeSealed(run, from: link)
            if let oneTime { erasePrekeys([oneTime]) }
        }
        turn.whenDurable(.taken(id, envelope.id))
    }

    /// A run from an envelope: only of a direct conversation with its author, whoever carried it.
    private mutating func takeSealed(_ run: WireEvents, from link: Link) {
        guard let conversation = ConversationID(run.conversation), !run.hasLog,
            let header = run.events.first?.header, let log = (try? EventHeader(decoding: [UInt8](header)))?.log,
            log.author != identity, peers[log.author]?.isAccepted == true,
            conversation == ConversationID(direct: identity, log.author),
            // In which branch it goes on is found out with its author.
            conversations[conversation]?.branches(of: log).isEmpty ?? true
        else { return }
        createDirect(with: log.author)
        let held = conversations[conversation]?.logs[log]?.held.position ?? .start
        let received = run.events.map { ReceivedEvent($0) }
        guard let events = try? RunVerifier.verify(received, of: log, in: conversation, after: held) else { return }
        hold(events, from: link, LogKey(conversation, log))
    }

    mutating func sendTaken(_ envelope: EnvelopeID, on id: LinkID) {
        var taken = WireTaken()
        taken.envelope = Data(envelope.bytes)
        taken.signature = Data(turn.own.signer.sign(Self.bytesToSign(envelope)))
        send(.taken(taken), on: id)
    }
}

extension EnvelopeRecord {
    /// What it counts for.
    fileprivate var weight: Int { max(byteCount, Limits.envelopeLeastBytes) }
}
