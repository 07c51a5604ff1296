import FoundationEssentials
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Packing what a peer may lack into files for a stick (carry.md, "Packing").
extension Engine {
    mutating func pack(_ request: ParcelRequest, for peer: PeerID, _ id: CommandID) {
        guard !refusesCarrying(for: peer, id) else { return }
        let keys = contacts[peer]?.usablePrekeys(at: turn.now)
        if let existing = ownParcel(request, for: peer), isOfOtherReplica(existing) {
            return turn.emit(
                .answer(id, .success(.packed(PackedParcel(action: .leave, next: request.start, isSealed: keys != nil))))
            )
        }
        let withFiles = !request.files.isEmpty
        switch request.start {
        case .first:
            couriers.renewDailyPrekey(&turn)
            for conversation in people.shared(with: peer) { conversations.signDelivered(in: conversation, &turn) }
            let todo = keys == nil ? [] : steps(for: peer, withFiles: withFiles)
            continuePacking(ParcelPacking(request, for: peer, todo: todo, command: id))
        case .after(let cursor):
            let todo = keys == nil ? [] : steps(for: peer, withFiles: withFiles, from: cursor)
            continuePacking(ParcelPacking(request, for: peer, todo: todo, command: id))
        case .end:
            answerNothing(ParcelPacking(request, for: peer, todo: [], command: id))
        }
    }

    /// The file in the slot, if this identity has packed it.
    private func ownParcel(_ request: ParcelRequest, for peer: PeerID) -> WireParcelContent? {
        request.existing.flatMap { WireParcel(decoding: $0) }?.open(from: identity, to: peer, slot: request.slot)
    }

    /// Whether a restored backup or a copied folder would overwrite what the original has packed.
    private func isOfOtherReplica(_ parcel: WireParcelContent) -> Bool {
        ReplicaID(parcel.replica) != replica && parcel.hasEnvelope
            && parcel.envelope.expires > UInt64(clamping: turn.now.wall)
    }

    /// What a peer may lack, in order: of each conversation its members, the receipts, and the logs.
    func steps(for peer: PeerID, withFiles: Bool = false, from cursor: ParcelCursor? = nil) -> [ParcelCursor] {
        var steps: [ParcelCursor] = []
        for id in people.shared(with: peer).sorted() {
            guard let conversation = conversations[id] else { continue }
            if let group = conversation.group {
                guard group.durable.isMember(peer), group.durable.isMember(identity) else { continue }
                steps.append(ParcelCursor(id, .members))
            }
            steps.append(ParcelCursor(id, .receipts))
            for log in conversation.logs.keys where log.author != peer && conversation.root(of: log) == log {
                let reached = conversation.reached(log, by: peer, at: .delivered).sequence
                guard conversation.durableThrough(log) > reached else { continue }
                steps.append(ParcelCursor(id, .log, log, done: reached))
            }
        }
        // In no conversation: the direct one with the recipient stands for them.
        if !couriers.kept(for: peer, stored.envelopes).isEmpty {
            steps.append(ParcelCursor(ConversationID(direct: identity, peer), .envelopes))
            steps.sort()
        }
        if withFiles {
            steps.append(ParcelCursor(ConversationID(direct: identity, peer), .files))
            steps.sort()
        }
        guard let cursor else { return steps }
        return steps.compactMap { step in
            guard step.isSamePlace(as: cursor) else { return step < cursor ? nil : step }
            var rest = step
            rest.done = max(step.done, cursor.done)
            return rest
        }
    }

    /// Packs as much as fits; reads the next events of a log where necessary.
    private mutating func continuePacking(_ packing: consuming ParcelPacking) {
        var packing = packing
        while let step = packing.todo.first {
            let id = step.conversation
            switch step.step {
            case .members:
                let events = conversations[id]?.group?.durable.events ?? []
                guard packing.add(members: events, step) else { return finish(packing) }
            case .receipts:
                let marks = conversations.carriedMarks(of: id, for: packing.peer, turn.own)
                guard packing.add(receipts: marks, step) else { return finish(packing) }
            case .log:
                guard let log = step.log, let through = conversations[id]?.durableThrough(log), step.done < through
                else {
                    packing.skip()
                    continue
                }
                let request = ReadRequest(
                    conversation: id,
                    log: log,
                    from: step.done + 1,
                    through: through,
                    byteLimit: Limits.envelopeBytes
                )
                turn.read(request, for: .parcel(packing))
                return
            case .envelopes:
                let kept = couriers.kept(for: packing.peer, stored.envelopes)
                guard step.done < kept.count else {
                    packing.skip()
                    continue
                }
                turn.read(kept[Int(step.done)], for: .parcel(packing))
                return
            case .files:
                guard packing.add(files: packing.request.files, step) else { return finish(packing) }
            }
        }
        finish(packing)
    }

    mutating func parcelEventsRead(_ events: [StoredEvent], _ packing: ParcelPacking) {
        var packing = packing
        guard let step = packing.todo.first else {
            broken("an envelope is read for a step of its parcel")
            return finish(packing)
        }
        let isNext = events.first?.header.sequence == step.done + 1
        let known = known(at: step, to: packing.peer)
        if isNext, packing.add(run: events, step, known: known) { return continuePacking(packing) }
        // The rest of the log goes into the next parcel, unless even an empty one has no room for the next run.
        guard !isNext || packing.isEmpty else { return finish(packing) }
        packing.skip()
        continuePacking(packing)
    }

    /// The last sequence of the log of a step that a peer is known to hold. Its receipts alone decide what is packed: it
    /// may have lost what it told on a link.
    private func known(at step: ParcelCursor, to peer: PeerID) -> UInt64 {
        guard let log = step.log, let conversation = conversations[step.conversation] else { return 0 }
        return known(log, to: peer, told(by: peer, in: step.conversation), in: conversation)
    }

    mutating func parcelEnvelopeRead(_ bytes: [UInt8]?, _ packing: ParcelPacking) {
        var packing = packing
        guard let step = packing.todo.first else {
            broken("an envelope is read for a step of its parcel")
            return finish(packing)
        }
        guard packing.add(envelope: bytes, step) else { return finish(packing) }
        continuePacking(packing)
    }

    /// Seals what is packed, unless the file in the slot holds the same.
    private mutating func finish(_ packing: ParcelPacking) {
        let (request, peer) = (packing.request, packing.peer)
        let isFirst = request.start == .first
        let theirs = contacts[peer]?.usablePrekeys(at: turn.now)
        guard isFirst || !packing.isEmpty && theirs != nil else { return answerNothing(packing) }
        var content = WireParcelContent()
        content.replica = Data(replica.bytes)
        if isFirst, let own = couriers.prekeys(for: peer, turn.now) {
            content.prekeys = PeerPrekeys(daily: own.daily, oneTime: [], with: turn.own.signer).frame
        }
        let load = packing.load.encodedBytes()
        let state = WireParcelContent.state(
            of: load,
            replica,
            ownPrekey: content.prekeys.encodedBytes(),
            theirPrekey: theirs?.daily ?? [],
            with: turn.own.signer
        )
        content.state = Data(state)
        let next = packing.todo.isEmpty ? ParcelRequest.Start.end : .after(packing.todo[0])
        var packed = PackedParcel(action: .keep, next: next, messages: packing.messages, isSealed: theirs != nil)
        if ownParcel(request, for: peer)?.state != content.state {
            if let theirs, !packing.isEmpty {
                guard let envelope = envelope(of: load, to: peer, theirs) else { return answerNothing(packing) }
                content.envelope = envelope
            }
            let parcel = WireParcel.seal(content, to: peer, slot: request.slot, from: identity, with: turn.own.signer)
            packed.action = .write(parcel.encodedBytes())
        }
        // Receipts and prekeys are on disk before anybody is given them.
        turn.whenDurable(.answer(packing.command, .packed(packed)))
    }

    private mutating func envelope(of load: [UInt8], to peer: PeerID, _ prekeys: PeerPrekeys) -> WireEnvelope? {
        var envelope = WireEnvelope.seal(
            load,
            to: peer,
            prekey: prekeys.daily,
            oneTime: [],
            ephemeral: couriers.newSecret(),
            expires: prekeys.expires
        )
        envelope?.recipient = Data()
        return envelope
    }

    private mutating func answerNothing(_ packing: ParcelPacking) {
        let packed = PackedParcel(
            action: packing.request.existing == nil ? .none : .remove,
            next: .end,
            isSealed: contacts[packing.peer]?.usablePrekeys(at: turn.now) != nil
        )
        turn.whenDurable(.answer(packing.command, .packed(packed)))
    }
}
