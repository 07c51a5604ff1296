import Foundation
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Checks what is packed for a stick and what is taken from one (carry.md): only what may be told, whole, by its author, and
// once.
extension Checker {
    /// What is known about parcels.
    struct Parcels {
        /// Every file that was ever packed, by its hash.
        var made: [Bytes32: Stick.Place] = [:]
        /// The files that a node is being asked to take, and what was asked to be packed.
        var offered: [CommandID: Offer] = [:]
        var asked: [CommandID: Asked] = [:]
        /// The events that were ever on a stick, as far as the recipients have the keys.
        var packed: Set<EventID> = []
        /// The events that are being packed, by author and recipient; `nil` if some of them cannot be known.
        var packing: [[Int]: Set<EventID>] = [:]
    }

    /// A file that a node is to take, as far as the keys on its disk open it.
    struct Offer {
        let place: Stick.Place
        let hash: Bytes32
        let content: WireParcelContent?
        let load: WireParcelLoad?
    }

    /// A slot that is to be packed.
    struct Asked {
        let place: Stick.Place
        let isFirst: Bool
        let existing: [UInt8]?

        var pair: [Int] { [place.author, place.recipient] }
    }

    private func hash(_ bytes: [UInt8]) -> Bytes32 { Bytes32(hashing: bytes, domain: 0) }

    /// The load of a parcel; `nil` if the recipient's disk has no key for it, or there is none.
    private func load(_ content: WireParcelContent?, for node: Int) -> WireParcelLoad? {
        guard let content, content.hasEnvelope else { return nil }
        var envelope = content.envelope
        envelope.recipient = Data(world.nodes[node].identity.bytes)
        guard let key = PrekeyID(envelope.prekey).flatMap({ world.nodes[node].disk.prekeys[$0] }) else { return nil }
        return envelope.unseal(prekey: key, oneTime: nil).flatMap { WireParcelLoad(decoding: $0) }
    }

    private func offer(_ bytes: [UInt8], at place: Stick.Place) -> Offer {
        let (author, recipient) = (world.nodes[place.author].identity, world.nodes[place.recipient].identity)
        let content = WireParcel(decoding: bytes)?.open(from: author, to: recipient, slot: place.slot)
        return Offer(place: place, hash: hash(bytes), content: content, load: load(content, for: place.recipient))
    }

    func noteParcel(_ id: CommandID, _ command: Command, _ node: Int) {
        switch command {
        case .takeParcel(let bytes, let slot, let who):
            guard let author = world.nodes.firstIndex(where: { $0.identity.text == who }) else { return }
            let offer = offer(bytes, at: Stick.Place(author: author, recipient: node, slot: slot))
            parcels.offered[id] = offer
            // Receipts that a member brings on a stick are handed as on a link.
            for entry in offer.load?.receipts.flatMap(\.entries) ?? [] {
                if let member = PeerID(entry.member).flatMap({ indexes[$0] }) {
                    watches[node].handed[[author, member], default: 0] += 1
                }
            }
        case .pack(let request):
            guard let peer = world.nodes.firstIndex(where: { $0.identity.text == request.who }) else { return }
            let place = Stick.Place(author: node, recipient: peer, slot: request.slot)
            let asked = Asked(place: place, isFirst: request.start == .first, existing: request.existing)
            parcels.asked[id] = asked
            if asked.isFirst { parcels.packing[asked.pair] = [] }
        default: break
        }
    }

    func checkParcel(_ id: CommandID, _ answer: Answer, _ node: Int) {
        switch answer {
        case .packed(let packed):
            if let asked = parcels.asked.removeValue(forKey: id) { checkPacked(packed, asked, node) }
        case .taken(let taken):
            if let offer = parcels.offered.removeValue(forKey: id) { checkTaken(taken, offer, node) }
        default: break
        }
    }

    // Packing.

    private func checkPacked(_ packed: PackedParcel, _ asked: Asked, _ node: Int) {
        defer { if packed.next == .end { parcels.packing[asked.pair] = nil } }
        var written: [UInt8]?
        if case .write(let bytes) = packed.action { written = bytes }
        if packed.action == .keep, let existing = asked.existing { note(offer(existing, at: asked.place).load, asked) }
        if let written { checkWritten(written, asked, node) }
        if packed.next == .end { checkComplete(asked) }
    }

    /// Notes what a slot has.
    private func note(_ load: WireParcelLoad?, _ asked: Asked) {
        guard let load else {
            parcels.packing[asked.pair] = nil
            return
        }
        parcels.packing[asked.pair]?.formUnion(load.runs.flatMap(\.events).map { EventID(hashing: [UInt8]($0.header)) })
    }

    private func checkWritten(_ bytes: [UInt8], _ asked: Asked, _ node: Int) {
        if bytes.count > Limits.parcelBytes { violate("\(name(node)) packs \(bytes.count) bytes") }
        let offer = offer(bytes, at: asked.place)
        parcels.made[offer.hash] = asked.place
        guard let content = offer.content else { return violate("\(name(node)) packs what is not signed") }
        if content.prekeys.daily.isEmpty == asked.isFirst {
            violate("\(name(node)) packs its prekeys \(asked.isFirst ? "not at all" : "twice")")
        }
        note(offer.load, asked)
        guard let load = offer.load else { return }
        for run in load.runs { checkPacked(run, asked.place) }
        for receipts in load.receipts { checkPacked(receipts, asked.place) }
        for invite in load.invites { checkShared(invite.conversation, asked.place) }
    }

    /// What is packed is of a conversation that both are in, as far as its author knows.
    @discardableResult
    private func checkShared(_ bytes: Data, _ place: Stick.Place) -> ConversationID? {
        let (node, peer) = (place.author, place.recipient)
        guard let conversation = ConversationID(bytes) else {
            violate("\(name(node)) packs something of no conversation")
            return nil
        }
        if world.nodes[node].disk.memberships[conversation] == nil {
            if conversation != self.conversation(node, peer) {
                violate("\(name(node)) packs for \(name(peer)) what is between others")
            }
            return conversation
        }
        // A command takes a moment, in which somebody may go.
        let gone = [node, peer].contains { who in
            watches[node].goneSince[conversation]?[who].map { world.now - $0 > Self.settling } ?? false
        }
        if gone { violate("\(name(node)) packs for \(name(peer)) what is of a group without one of them") }
        return conversation
    }

    private func checkPacked(_ run: WireEvents, _ place: Stick.Place) {
        guard let conversation = checkShared(run.conversation, place) else { return }
        let (disk, who) = (world.nodes[place.author].disk, name(place.author))
        for wire in run.events {
            let bytes = [UInt8](wire.header)
            guard let header = try? EventHeader(decoding: bytes), header.conversation == conversation else {
                return violate("\(who) packs what is no event")
            }
            let id = EventID(hashing: bytes)
            parcels.packed.insert(id)
            if header.log.author == world.nodes[place.recipient].identity {
                return violate("\(who) packs for \(name(place.recipient)) what that has written itself")
            }
            if disk.event(id, at: header.sequence, named: LogKey(conversation, header.log)) == nil {
                return violate("\(who) packs event \(header.sequence) of \(header.log.short) before it is durable")
            }
        }
        if run.events.last?.signature.isEmpty ?? true { violate("\(who) packs a run that does not end at a head") }
    }

    private func checkPacked(_ receipts: WireWatermarks, _ place: Stick.Place) {
        guard let conversation = checkShared(receipts.conversation, place) else { return }
        let (disk, who) = (world.nodes[place.author].disk, name(place.author))
        for row in receipts.entries.compactMap({ WatermarkRecord($0, in: conversation) }) {
            let isOwn = row.key.member == world.nodes[place.author].identity
            if disk.memberships[conversation] == nil, !isOwn || row.key.replica != world.nodes[place.author].replica {
                return violate("\(who) packs a receipt of somebody else, or of another replica")
            }
            guard disk.watermarks[row.key]?.position.sequence ?? 0 < row.position.sequence, disk.branches.isEmpty else {
                continue
            }
            return violate("\(who) packs a receipt of \(row.key.log.short) before it is durable")
        }
    }

    /// Everything that an author wrote to the recipient, and that the recipient never had, is packed.
    private func checkComplete(_ asked: Asked) {
        guard let packing = parcels.packing[asked.pair] else { return }
        let (node, peer) = (asked.place.author, asked.place.recipient)
        let (machine, direct) = (world.nodes[node], conversation(node, peer))
        let key = LogKey(direct, LogID(author: machine.identity, replica: machine.replica))
        guard machine.rollbacks == 0, machine.disk.branches.isEmpty, let log = machine.disk.logs[key],
            world.now - watches[node].badRead > Self.settling
        else { return }
        // What was written in the last moments came after packing had begun.
        let written = log.events.last {
            accepted[$0.id].map { world.now - $0.time > Self.settling } ?? false
        }
        guard let written, !packing.contains(written.id),
            !hasHeld(written.header.sequence, of: key, peer, by: node)
        else { return }
        violate(
            "\(name(node)) has packed everything for \(name(peer)), and not \(written.header.sequence) of \(key.log.short)"
        )
    }

    // Taking.

    private func checkTaken(_ taken: TakenParcel, _ offer: Offer, _ node: Int) {
        let (who, whose) = (name(node), name(offer.place.author))
        let isWhole = parcels.made[offer.hash] == offer.place
        if isWhole == (taken.outcome == .damaged) {
            return violate("\(who) finds a file of \(whose) \(taken.outcome), which is \(isWhole ? "" : "not ")whole")
        }
        if !isWhole || offer.load == nil {
            if taken.isNew, !isWhole { violate("\(who) takes something from a file that \(whose) has not made") }
            return
        }
        guard taken.outcome == .taken, taken.problems.isEmpty, let load = offer.load else { return }
        // An envelope on the stick is taken once its author is accepted.
        let isRepeated = !watches[node].parcelsTaken.insert(offer.hash).inserted
        if isRepeated, load.envelopes.isEmpty, taken.messages + taken.changes > 0 {
            return violate("\(who) takes \(taken.messages) messages of \(whose) for a second time")
        }
        for run in load.runs {
            guard let conversation = ConversationID(run.conversation), let last = run.events.last,
                let header = try? EventHeader(decoding: [UInt8](last.header))
            else { continue }
            let key = LogKey(conversation, header.log)
            let id = EventID(hashing: [UInt8](last.header))
            guard world.nodes[node].disk.event(id, at: header.sequence, named: key) == nil else { continue }
            let what = "\(header.sequence) of \(header.log.short) in \(conversation.text.prefix(8))"
            return violate("\(who) took a file of \(whose), and has not \(what)")
        }
        checkReceipts(of: load, offer, node)
    }

    /// Receipts for what this node wrote are kept.
    private func checkReceipts(of load: WireParcelLoad, _ offer: Offer, _ node: Int) {
        let disk = world.nodes[node].disk
        guard world.now - watches[node].badRead > Self.settling else { return }
        let both = [world.nodes[node].identity, world.nodes[offer.place.author].identity]
        for receipts in load.receipts {
            guard let place = ConversationID(receipts.conversation),
                disk.memberships[place].map({ membership in both.allSatisfy { membership.isMember($0) } }) ?? true,
                !disk.branches.contains(where: { $0.conversation == place })
            else { continue }
            for row in receipts.entries.compactMap({ WatermarkRecord($0, in: place) }) {
                let key = LogKey(place, row.key.log)
                guard row.key.log.author == world.nodes[node].identity,
                    disk.holds(row.position.head, at: row.position.sequence, of: key),
                    disk.memberships[place].map({ $0.isMember(row.key.member) }) ?? true,
                    disk.watermarks[row.key]?.position.sequence ?? 0 < row.position.sequence,
                    !hasEnoughCopies(row, node)
                else { continue }
                return violate(
                    "\(name(node)) took a file of \(name(offer.place.author)), and has no receipt of \(key.log.short) "
                        + "through \(row.position.sequence)"
                )
            }
        }
    }
}
