import ParlanceCore
import ParlanceRecords
import ParlanceWire

// Checks that envelopes left with couriers arrive, and that couriers keep their promises (couriers.md).
extension Checker {
    /// An envelope, as far as it can be known from outside.
    struct Envelope {
        let author: Int
        let recipient: Int
        let log: LogID
        let through: UInt64
    }

    /// A one-time key with which a node has sealed an envelope, and the link over which it left the envelope with a
    /// courier.
    struct UsedKey {
        let envelope: EnvelopeID
        let link: LinkID
        /// The courier has answered.
        var isAnswered = false
    }

    /// An envelope that a courier keeps.
    struct Kept {
        let record: EnvelopeRecord
        let since: Int64
        /// When the recipient last had no room for what is in it.
        var refusedAt: Int64?

        init(_ record: EnvelopeRecord, since: Int64) { (self.record, self.since) = (record, since) }
    }

    /// A courier erases envelopes that the recipient has taken, that are too old, that the author has replaced, or of which
    /// its user has blocked or forgotten the author or the recipient, or the workspace has left one of them out.
    func checkErased(_ batch: PersistBatch, _ node: Int) {
        var workspace = world.nodes[node].disk.workspace
        if case .set(let new) = batch.workspace { workspace = new }
        for id in batch.erasedEnvelopes {
            let since = world.now - Self.settling
            guard let record = watches[node].kept.removeValue(forKey: id)?.record, watches[node].calmSince < since,
                clockSet(node) < since
            else { continue }
            let isReplaced = batch.envelopes.contains {
                $0.record.depositor == record.depositor && $0.record.recipient == record.recipient
            }
            let strangers = batch.peers.filter { $0.trust != .accepted && $0.trust != .verified }.map(\.id)
            let isFreed = [record.depositor, record.recipient].contains { person in
                strangers.contains(person) || workspace?.leavesOut(person) == true
            }
            if watches[node].handedOver.contains(id) || isReplaced || isFreed
                || record.expires <= world.instant(of: node).wall
            {
                continue
            }
            violate("\(name(node)) erases an envelope that nobody has taken")
        }
    }

    func checkEnvelopes(_ frame: WireFrame, on link: LinkID, _ node: Int) {
        switch frame.kind {
        case .deposit(let deposit): checkOneTime(deposit.envelope, on: link, node)
        case .taken(let taken):
            guard let id = EnvelopeID(taken.envelope) else { return }
            if taken.noRoom { checkLeft(id, node) } else { checkTaken(id, node) }
        default: break
        }
    }

    /// A one-time key seals one envelope: an author that has used it does not use it again, unless it is given again.
    private func checkOneTime(_ envelope: WireEnvelope, on link: LinkID, _ node: Int) {
        let key = [UInt8](envelope.oneTime)
        guard !key.isEmpty else { return }
        if let before = watches[node].keysUsed[key], before.envelope != envelope.id {
            return violate("\(name(node)) seals a second envelope with a one-time key")
        }
        watches[node].keysUsed[key] = UsedKey(envelope: envelope.id, link: link)
    }

    /// A key that is given again may be used again if, as far as the author knows, no envelope sealed with it is on the
    /// way to a courier or held by one.
    private func noteGiven(_ keys: [[UInt8]], _ node: Int) {
        let used = keys.filter { watches[node].keysUsed[$0] != nil }
        guard !used.isEmpty else { return }
        let deposits = world.nodes[node].engine?.kept.peers.flatMap(\.deposits) ?? []
        for key in used {
            guard let before = watches[node].keysUsed[key],
                before.isAnswered || watches[node].links.links[before.link] == nil,
                !deposits.contains(where: { $0.oneTime == key })
            else { continue }
            watches[node].keysUsed[key] = nil
        }
    }

    /// Notes the keys and envelopes that a frame brings to a node.
    func noteEnvelopes(_ frame: WireFrame, on link: LinkID, _ node: Int) {
        switch frame.kind {
        case .taken(let taken):
            if let id = EnvelopeID(taken.envelope), let peer = watches[node].links.links[link]?.peer,
                watches[node].kept[id]?.record.recipient == world.nodes[peer].identity
            {
                if taken.noRoom {
                    watches[node].kept[id]?.refusedAt = world.now
                } else {
                    watches[node].handedOver.insert(id)
                }
            }
        case .prekeys(let keys): noteGiven(keys.oneTime.map { [UInt8]($0) }, node)
        case .deposited(let answer):
            for (key, used) in watches[node].keysUsed where EnvelopeID(answer.envelope) == used.envelope {
                watches[node].keysUsed[key]?.isAnswered = true
            }
        case .handOver(let frame):
            // The keys do not open an envelope that a courier has garbled, and it uses up no key.
            if let courier = watches[node].links.links[link]?.peer, !isHonest(courier) { return }
            let disk = world.nodes[node].disk
            let keys = [frame.envelope.prekey] + (frame.envelope.oneTime.isEmpty ? [] : [frame.envelope.oneTime])
            // If the clock is far ahead, all keys are too old, and if it is far behind, they are in the future: they
            // are erased. The author still has what is in the envelope.
            let now = world.instant(of: node).wall
            let held = keys.allSatisfy { key in
                PrekeyID(key).flatMap { disk.prekeys[$0] }.map {
                    (-Limits.clockSkewMilliseconds..<Limits.prekeyKeptMilliseconds).contains(now - $0.made)
                } ?? false
            }
            if held { watches[node].openable[frame.envelope.id] = PrekeyID(frame.envelope.oneTime) }
            if held && frame.envelope.oneTime.isEmpty {
                watches[node].openable.updateValue(nil, forKey: frame.envelope.id)
            }
        default: break
        }
    }

    /// A recipient that has no room for what is in an envelope can open it later.
    private func checkLeft(_ id: EnvelopeID, _ node: Int) {
        guard let found = watches[node].openable.removeValue(forKey: id), let oneTime = found else { return }
        if world.nodes[node].disk.prekeys[oneTime] == nil {
            violate("\(name(node)) erased the key of an envelope for which it had no room")
        }
    }

    /// A recipient that reports that it took an envelope, and had the keys for it, has the contents and no longer has
    /// the key.
    private func checkTaken(_ id: EnvelopeID, _ node: Int) {
        guard let oneTime = watches[node].openable.removeValue(forKey: id) else { return }
        let machine = world.nodes[node]
        // An envelope that its author has garbled cannot be opened, and is not among those left with couriers.
        let isWhole = isAllHonest || envelopes[id].map { isHonest($0.author) } == true
        if let oneTime, isWhole, machine.disk.prekeys[oneTime] != nil {
            return violate("\(name(node)) keeps a one-time key that has opened an envelope")
        }
        guard let envelope = envelopes[id], envelope.recipient == node, machine.rollbacks == 0, machine.replicas == 1,
            isHonest(envelope.author), isHonest(node)
        else { return }
        let author = world.nodes[envelope.author].identity
        let place = conversation(node, envelope.author)
        let isForked = machine.disk.branches.contains { $0.conversation == place && $0.log.author == author }
        guard !isForked, machine.disk.peers[author]?.isFriend == true,
            machine.disk.workspace?.leavesOut(author) != true,
            world.now - (watches[node].opinionSince[envelope.author] ?? 0) > 1_000,
            world.nodes[envelope.author].rollbacks == 0
        else { return }
        let held = machine.disk.position(of: LogKey(place, envelope.log)).sequence
        if held < envelope.through {
            violate(
                "\(name(node)) took an envelope with \(envelope.log.short) through \(envelope.through), "
                    + "and holds it through \(held)"
            )
        }
    }

    /// Notes which courier holds what, and which envelopes a courier keeps, by a batch.
    func noteDeposits(_ batch: PersistBatch, _ node: Int) {
        for record in batch.peers where !record.deposits.isEmpty { note(record.deposits, of: record.id, node) }
        let disk = world.nodes[node].disk
        for envelope in batch.envelopes where disk.envelopes[envelope.record.id] != nil {
            let record = envelope.record
            let isKnown = [record.depositor, record.recipient].allSatisfy { id in
                disk.peers[id]?.isFriend == true
                    || indexes[id].map { world.now - (watches[node].opinionSince[$0] ?? 0) < 1_000 } ?? false
            }
            let identity = world.nodes[node].identity
            if !isKnown || record.recipient == identity || record.recipient == record.depositor {
                return violate("\(name(node)) keeps an envelope that it should not have taken")
            }
        }
        guard !batch.envelopes.isEmpty else { return }
        let weights = disk.envelopes.values.map { ($0.record.depositor, max($0.record.byteCount, 16 << 10)) }
        for (depositor, all) in Dictionary(grouping: weights, by: \.0) where all.reduce(0, { $0 + $1.1 }) > 16 << 20 {
            violate("\(name(node)) keeps more of \(depositor) than 16 MiB")
        }
    }

    private func note(_ deposits: [DepositRecord], of recipient: PeerID, _ node: Int) {
        guard let index = indexes[recipient] else { return }
        for deposit in deposits {
            guard let id = EnvelopeID(deposit.envelope), let replica = ReplicaID(deposit.replica) else { continue }
            let log = LogID(author: world.nodes[node].identity, replica: replica)
            envelopes[id] = Envelope(author: node, recipient: index, log: log, through: deposit.through)
        }
        let now = world.instant(of: node).wall
        let couriers = Set(deposits.filter { $0.expires > now }.map(\.courier))
        if couriers.count > 3 {
            violate("\(couriers.count) hold what \(name(node)) wrote to \(name(index))")
        }
    }

    /// A courier that has been linked for long with a peer for which it keeps an envelope has handed it over, unless the
    /// peer had no room for it: then it tries again after an hour.
    func checkHandedOver() {
        for courier in world.nodes.indices where world.nodes[courier].isUp && isHonest(courier) {
            for envelope in world.nodes[courier].disk.envelopes.values {
                // A program that knows no couriers has told nobody that it takes envelopes, but somebody hostile deposits
                // them for it.
                guard let recipient = indexes[envelope.record.recipient], isHonest(recipient),
                    recipient != world.network.older,
                    isSteady(courier, recipient), isMutual(courier, recipient),
                    [(courier, recipient), (recipient, courier)].allSatisfy({
                        world.now - (watches[$0].opinionSince[$1] ?? 0) > Self.settling
                    }),
                    let kept = watches[courier].kept[envelope.record.id], world.now - kept.since > Self.settling,
                    world.now - (kept.refusedAt ?? .min / 2) > Limits.handOverAgainMilliseconds + Self.settling
                else { continue }
                return violate("\(name(courier)) is linked with \(name(recipient)) and keeps an envelope for it")
            }
        }
    }

    /// Whether two nodes have been linked, as both sides say, over a working network for so long that everything one
    /// had to tell the other has arrived.
    func isSteady(_ a: Int, _ b: Int) -> Bool {
        guard world.nodes[a].isUp, world.nodes[b].isUp, isHonest(a), isHonest(b) else { return false }
        let since = world.now - Self.settling
        return watches[a].calmSince <= since && watches[b].calmSince <= since
            && watches[a].links.isSteady(b, since: since)
            && watches[b].links.isSteady(a, since: since)
            && !isDisturbed(a, b)
    }

    /// Whether the network has delayed something between two nodes recently.
    private func isDisturbed(_ a: Int, _ b: Int) -> Bool {
        let since = world.now - Self.settling
        return world.pipes.values.contains { ($0.isSilent || $0.stalledUntil > since) && $0.isBetween(a, b) }
    }

    /// Notes which disks are slow or fail, whether the network is slow or fails, and which clocks were set.
    func noteTrouble() {
        let network = world.network
        let isTroubled = network.slowest > 10 || network.cutOnceIn != nil || network.stripOnceIn != nil
        for (index, node) in world.nodes.enumerated() {
            let disk = node.trouble
            let isReadInVain = disk.emptyReads > 0 || disk.failedReads > 0
            let isSlow = disk.slowest > DiskTrouble().slowest || disk.failures > 0 || isReadInVain
            if isTroubled || isSlow { watches[index].calmSince = world.now }
            if watches[index].clockSince.skew != world.skew[index] {
                watches[index].clockSince = (world.skew[index], world.now)
            }
        }
    }

    /// When the clock of a node was last set, which may not be noted yet.
    func clockSet(_ node: Int) -> Int64 {
        let noted = watches[node].clockSince
        return noted.skew == world.skew[node] ? noted.time : world.now
    }

    /// Milliseconds within which everything that can get through has got through.
    static let settling: Int64 = 60_000
}
