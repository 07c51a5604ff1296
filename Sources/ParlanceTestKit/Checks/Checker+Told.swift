import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceWire

// Checks that nothing untrue is told: before it is durable where it must be, no event leaves a machine, and nothing is
// acknowledged or shown as delivered.
extension Checker {
    func checkTold(_ frame: WireFrame, on link: LinkID, _ node: Int) {
        switch frame.kind {
        case .clock(let clock): checkEntries(clock.entries, clock.conversation, on: link, node)
        case .have(let have): checkEntries(have.entries, have.conversation, on: link, node)
        case .events(let run): checkRun(run, node)
        case .deposited(let answer): checkDeposited(answer, node)
        case .addresses(let frame): checkAddressesTold(frame, node)
        case .heartbeat(let beat):
            checkAway(beat.presence, on: link, node)
            checkPicture(PictureID(beat.presence.picture), on: link, node)
        case .hello(let hello):
            checkAway(hello.presence, on: link, node)
            checkPicture(PictureID(hello.presence.picture), on: link, node)
        case .picture(let picture):
            notePictureGiven(on: link, node)
            checkPicture(PictureID(hashing: [UInt8](picture.content)), on: link, node)
        default: break
        }
    }

    private func checkEntries(_ entries: [WireClockEntry], _ conversation: Data, on link: LinkID, _ node: Int) {
        guard let conversation = ConversationID(conversation) else { return violate("\(name(node)) tells a bad clock") }
        for entry in entries {
            guard let log = LogID(entry.log), let head = EventID(entry.head) else {
                return violate("\(name(node)) tells a bad clock entry")
            }
            if let last = entry.missingBodies.max(), last > entry.sequence {
                return violate("\(name(node)) tells \(log.short) to \(entry.sequence) and that it misses \(last)")
            }
            let key = LogKey(conversation, log)
            let disk = world.nodes[node].disk
            let position = LogPosition(sequence: entry.sequence, head: head)
            guard disk.holds(head, at: entry.sequence, of: key) || isKept(position, of: key, at: node) else {
                let durable = disk.position(of: key).sequence
                return violate(
                    "\(name(node)) says that it holds \(log.short) to \(entry.sequence); durable is \(durable)"
                )
            }
            if entry.floor > disk.floor(of: key), disk.holds(head, at: entry.sequence, of: key) {
                return violate("\(name(node)) says that it has removed \(log.short) through \(entry.floor)")
            }
            let missing = disk.missingBodies(of: key).filter {
                $0 <= entry.sequence && !isRemovedByAuthor($0, of: key, on: link, node)
            }.prefix(Limits.missingTold)
            let unheard = world.nodes[node].unheard.filter { $0.conversation == conversation && $0.log == log }
            if !Set(missing).subtracting(unheard.flatMap(\.sequences)).isSubset(of: entry.missingBodies) {
                return violate(
                    "\(name(node)) says that it holds bodies of \(log.short) that it lacks: \(Array(missing))"
                )
            }
        }
    }

    /// Whether the author of a log is at the other end of a link and has removed a text of it: it expects nobody to
    /// have it.
    private func isRemovedByAuthor(_ sequence: UInt64, of key: LogKey, on link: LinkID, _ node: Int) -> Bool {
        guard let end = world.pipes[link]?.ends.first(where: { $0.link != link }),
            world.nodes[end.node].identity == key.log.author,
            let event = world.nodes[node].disk.event(at: sequence, of: key)
        else { return false }
        return watches[end.node].floors.ever.contains(event.id)
    }

    private func checkRun(_ run: WireEvents, _ node: Int) {
        guard let conversation = ConversationID(run.conversation), let last = run.events.last,
            let header = try? EventHeader(decoding: [UInt8](last.header))
        else { return violate("\(name(node)) sends a run of nothing") }
        let key = LogKey(conversation, header.log)
        let id = EventID(hashing: [UInt8](last.header))
        guard world.nodes[node].disk.event(id, at: header.sequence, named: key) != nil else {
            return violate("\(name(node)) sends event \(header.sequence) of \(header.log.short) before it is durable")
        }
        // What the author never signed before it forked its log is proved by the branches.
        let end = LogPosition(sequence: header.sequence, head: id)
        let branches = world.nodes[node].disk.branches
        if last.signature.isEmpty, !branches.contains(where: { $0.conversation == conversation && $0.base == end }) {
            violate("\(name(node)) sends a run of \(header.log.short) that does not end at a head")
        }
    }

    /// A node tells the addresses only of peers that it has accepted.
    private func checkAddressesTold(_ frame: WireAddresses, _ node: Int) {
        let (disk, own) = (world.nodes[node].disk, world.nodes[node].identity)
        guard world.nodes[node].engine?.isSettled == true else { return }
        for peer in frame.entries.compactMap({ PeerID($0.peer) }) where peer != own {
            if disk.peers[peer]?.isFriend == true { continue }
            return violate("\(name(node)) tells where \(peer.prefix) is, whom it has not accepted")
        }
    }

    /// A courier that says that it keeps an envelope has it on its disk.
    private func checkDeposited(_ answer: WireDeposited, _ node: Int) {
        guard answer.held, EnvelopeID(answer.envelope).flatMap({ world.nodes[node].disk.envelopes[$0] }) == nil else {
            return
        }
        violate("\(name(node)) says that it keeps an envelope before it does")
    }

    func noteCarried(_ batch: PersistBatch, _ node: Int) {
        for envelope in batch.envelopes {
            watches[node].everCarried.insert([envelope.record.depositor, envelope.record.recipient])
        }
    }

    /// What a garbling peer sends is stored only as its author made it, and so is whatever comes where somebody is hostile.
    func checkGenuine(_ batch: PersistBatch, _ node: Int) {
        guard !isAllHonest, node != garbler else { return }
        for event in batch.events {
            guard let author = indexes[event.header.log.author], author != node, author == garbler || !hostile.isEmpty
            else { continue }
            let isWhole =
                event.id == EventID(hashing: event.headerBytes)
                && event.body.map({ Bytes32(hashingBody: $0) == event.header.bodyHash }) ?? true
                && event.signature.map({ HeadSeal.verify($0, of: event.id, by: event.header.log.author) }) ?? true
            if !isWhole { return violate("\(name(node)) stores an event of \(name(author)) that is not its own") }
        }
    }

    /// When a node shows `delivered`, the peer's disk holds the message; statuses never go back.
    func checkStatus(_ view: DeliveryView, _ node: Int) {
        for recipient in view.recipients.indices { checkStatus(view, recipient, node) }
        checkLedger(view, node)
    }

    /// What belongs to a new branch is durable before the name of the branch is. Of a branch of which nothing is held, a
    /// clock names the base.
    private func isKept(_ position: LogPosition, of key: LogKey, at node: Int) -> Bool {
        let disk = world.nodes[node].disk
        guard world.nodes[node].engine?.start(of: key) != position else { return true }
        let logs = disk.logs(of: key.conversation).filter { $0.author == key.log.author }
        return logs.contains { disk.holds(position.head, at: position.sequence, of: LogKey(key.conversation, $0)) }
    }

    private func checkStatus(_ view: DeliveryView, _ recipient: Int, _ node: Int) {
        let id = view.recipients[recipient].peer
        guard let peer = indexes[id], peer != node, isHonest(peer) else { return }
        if case .held(let couriers) = view.recipients[recipient].reason {
            for courier in couriers.compactMap({ indexes[$0] }) where isHonest(courier) {
                if watches[courier].everCarried.contains([world.nodes[node].identity, id]) { continue }
                return violate(
                    "\(name(node)) says that \(name(courier)) holds what \(name(peer)) is to get; it never did"
                )
            }
            checkHolders(couriers, of: view, peer, node)
        }
        checkReason(view.recipients[recipient].reason, peer, node)
        for log in view.logs {
            let key = StatusKey(conversation: view.conversation, peer: id, log: log.log)
            let before = watches[node].statuses[key] ?? (0, 0)
            let (delivered, read) = (log.progress[recipient].delivered.sequence, log.progress[recipient].read.sequence)
            // Nothing is known any more beyond the base of a log that turned out to be forked: it may have been another
            // branch.
            let end = world.nodes[node].engine?.held(of: LogKey(view.conversation, log.log)).sequence ?? 0
            if delivered < min(before.delivered, end) || read < min(before.read, end) {
                return violate("\(name(node))'s status of \(log.log.short) for \(name(peer)) goes back")
            }
            // A status that rose before the peer's store was rolled back was true then.
            let risen = max(delivered > before.delivered ? delivered : 0, read > before.read ? read : 0)
            let logKey = LogKey(view.conversation, log.log)
            // Up to where a branch forks, nothing of it is meant.
            guard risen > world.nodes[node].disk.logs[logKey]?.base.sequence ?? 0 else { continue }
            watches[node].statuses[key] = (delivered, read)
            if !hasHeld(risen, of: logKey, peer, by: node) {
                return violate(
                    "\(name(node)) shows \(log.log.short) as with \(name(peer)) through \(risen); "
                        + "its disk never held that whole"
                )
            }
        }
    }

    /// A waiting message is held by couriers only if they hold all of it.
    private func checkHolders(_ couriers: [PeerID], of view: DeliveryView, _ peer: Int, _ node: Int) {
        let (disk, own) = (world.nodes[node].disk, world.nodes[node].identity)
        guard knowsItsDisk(node) else { return }
        let log = LogID(author: own, replica: world.nodes[node].replica)
        let written = disk.position(of: LogKey(view.conversation, log)).sequence
        let deposits = disk.peers[world.nodes[peer].identity]?.deposits ?? []
        for courier in couriers {
            if deposits.contains(where: { $0.courier == courier.bytes && $0.through >= written }) { continue }
            return violate("\(name(node)) says that a courier holds what it wrote to \(name(peer)), and it holds less")
        }
    }

    /// The reason given for a wait is true.
    private func checkReason(_ reason: WaitReason?, _ peer: Int, _ node: Int) {
        guard let reason, knowsItsDisk(node), !watches[node].links.isLinked(peer) else { return }
        let (disk, id) = (world.nodes[node].disk, world.nodes[peer].identity)
        let isLeftOut = disk.workspace?.leavesOut(id) == true
        switch reason {
        case .leftOut where !isLeftOut, .blocked where disk.peers[id]?.trust != .blocked,
            .peerOffline where isLeftOut, .notLinked where isLeftOut, .unreachable where isLeftOut:
            violate("\(name(node)) says that what it wrote to \(name(peer)) waits, since \(reason)")
        default: break
        }
    }
}
