import ParlanceAudit
import ParlanceCore
import ParlanceRecords
import ParlanceWire

// Tracks which events each node has ever held completely: only these may be called delivered.
extension Checker {
    /// Remembers what a node holds, event by event: another event at the same position is not the one that was written.
    func noteHeld(_ batch: PersistBatch, _ node: Int) {
        noteBodies(batch, node)
        let disk = world.nodes[node].disk
        // An edit or deletion changes what is missing of another log.
        let touched = Set(
            batch.events.map(\.header.conversation) + batch.bodies.map(\.conversation)
                + batch.retention.map(\.conversation)
        )
        for key in disk.logs.keys where touched.contains(key.conversation) {
            // No other node needs a body that the author itself no longer has.
            let holders = key.log.author == world.nodes[node].identity ? Array(world.nodes.indices) : [node]
            for holder in holders { noteComplete(key, holder) }
        }
    }

    private func noteComplete(_ key: LogKey, _ node: Int) {
        guard let log = world.nodes[node].disk.logs[key] else { return }
        let through = completeThrough(of: key, at: node)
        let noted = max(watches[node].completeNoted[key] ?? 0, log.base.sequence)
        guard through > noted else { return }
        watches[node].completeNoted[key] = through
        for sequence in (noted + 1)...through {
            if let index = log.index(of: sequence) { watches[node].everComplete.insert(log.events[index].id) }
        }
    }

    /// Whether a peer holds, or has held, the event at a position of a log of this node, and all events before it.
    func hasHeld(_ sequence: UInt64, of key: LogKey, _ peer: Int, by node: Int) -> Bool {
        let disk = world.nodes[node].disk
        // Since the last check, others may have learnt of what is missing.
        for log in world.nodes[peer].disk.logs.keys where log.conversation == key.conversation {
            noteComplete(log, peer)
        }
        if let event = disk.event(at: sequence, of: key) { return watches[peer].everComplete.contains(event.id) }
        // The log has just forked, and the engine has not heard of it: then the event is in one of the branches. Or the
        // engine has divided the log, and the disk has not heard of it: then the event is in the log from which the
        // branch forks.
        let parted = disk.branches(below: key).compactMap { branch in
            disk.event(at: sequence, of: LogKey(key.conversation, branch))
        }
        return (parted + disk.events(at: sequence, ofBranch: key)).contains {
            watches[peer].everComplete.contains($0.id)
        }
    }

    /// Up to where a node has everything of a log that the replica that writes the log has, and that its author has not
    /// removed because of its age.
    func completeThrough(of key: LogKey, at node: Int) -> UInt64 {
        guard let author = indexes[key.log.author].map({ world.nodes[$0] }) else { return 0 }
        let isWritten = author.replica == key.log.replica
        return world.nodes[node].disk.completeThrough(of: key, besides: author.disk, isWritten: isWritten)
    }

    // Checks that nothing that was accepted is lost, whoever wrote it.

    /// A store was rolled back: what no disk holds any more is lost, and only the backup is to blame.
    func restored(_ node: Int) {
        let disk = world.nodes[node].disk
        watches[node].bodiesHeld = Set(disk.logs.values.lazy.flatMap(\.events).filter { $0.body != nil }.map(\.id))
        watches[node].completeNoted = [:]
        forget(node)
        for message in accepted.values {
            let held = world.nodes.compactMap { message.event(on: $0.disk) }
            let isTaken = withdrawn.contains(message.id) || isRemoved(message.id)
            if held.isEmpty || !isTaken && !held.contains(where: { $0.body != nil }) { lost.insert(message.id) }
            guard message.author == node else { continue }
            if message.event(on: disk) == nil { awaited.insert(message.id) }
            // The message may be hidden for another reason than that the disk has the withdrawal.
            if withdrawn.contains(message.id) && !holdsWithdrawal(of: message, disk) { uncertain.insert(message.id) }
        }
    }

    /// Whether no disk holds a message any more since a store was rolled back.
    func isLost(_ message: AcceptedMessage) -> Bool {
        lost.contains(message.id) && !world.nodes.contains { message.event(on: $0.disk)?.body != nil }
    }

    /// Whether none of these nodes holds the withdrawal of a message: since a store was rolled back; or, if the message went on
    /// a stick before it was withdrawn, because it has not come to any of them yet (carry.md).
    private func lacksWithdrawal(_ message: AcceptedMessage, among circle: [Int]) -> Bool {
        let wasPacked = parcels.packed.contains(message.id)
        return (wasPacked || uncertain.contains(message.id))
            && !circle.contains { holdsWithdrawal(of: message, world.nodes[$0].disk) }
    }

    private func holdsWithdrawal(of message: AcceptedMessage, _ disk: SimulatedDisk) -> Bool {
        disk.logs.contains { key, log in
            key.conversation == message.key.conversation && key.log.author == message.key.log.author
                && log.events.contains { event in
                    guard event.header.kind == .withdraw,
                        case .withdraw(let sequence) = PlainMeaning(withdrawal: event)
                    else { return false }
                    return sequence == message.sequence
                }
        }
    }

    /// Each author has what it wrote. Only a store that was rolled back may lack it, if no node that exchanges events
    /// with it has it.
    func checkAuthors() {
        for message in accepted.values.sorted(by: { $0.id < $1.id }) {
            let node = message.author
            guard message.event(on: world.nodes[node].disk) == nil else { continue }
            let what = "\"\(message.text.prefix(40))\""
            guard awaited.contains(message.id) || isLost(message) else {
                return violate("\(what) was accepted and is not on the disk of \(name(node)), who wrote it")
            }
            let holder = world.nodes.indices.first { other in
                other != node && isHonest(other) && isHonest(node)
                    && message.key.conversation == conversation(node, other) && isMutual(node, other)
                    && message.event(on: world.nodes[other].disk) != nil
            }
            if let holder {
                return violate("\(name(holder)) holds \(what), and \(name(node)), who wrote it, has not got it back")
            }
        }
    }

    /// A node has a message that was accepted, shows it if nothing removed it, and shows it below what its author had
    /// seen.
    func check(_ message: AcceptedMessage, _ places: [EventID: Int], _ node: Int, among circle: [Int]) {
        let disk = world.nodes[node].disk
        let what = "\"\(message.text.prefix(40))\""
        guard let event = message.event(on: disk) else {
            if !isLost(message) { violate("\(what) was accepted and \(name(node)) does not hold it") }
            return
        }
        guard let place = places[message.id] else {
            // `checkHistory` checks whether a withdrawal is held and counts.
            if message.isEdit || asked[message.id, default: 0] > 0 || isLost(message) || hasExpired(message.id)
                || waitsForLost(event.place, node, circle) || watches[node].floors.below.contains(message.id)
            {
                return
            }
            // A node that holds the event without its text shows nothing. In the middle of a run all nodes that have
            // the text may be away or cut off. `checkBodies` finds a node that had the text and lost it.
            let holders = circle.filter { message.event(on: world.nodes[$0].disk)?.body != nil }
            if event.body == nil, !holders.contains(where: { gives($0, message, to: node) }) { return }
            return violate("\(what) was accepted and is not at \(name(node))")
        }
        if withdrawn.contains(message.id) && !lacksWithdrawal(message, among: circle) {
            return violate("\(what) was withdrawn and \(name(node)) shows it")
        }
        // What was given up has no effect on the order, nor what stands in a branch that no event names.
        let conversation = event.header.conversation
        guard disk.givenUp[conversation] == nil, let anchor = message.anchor, let above = places[anchor],
            above > place, let seen = disk.line(anchor, in: conversation),
            !isDisplaced(seen.log, in: conversation, node)
        else { return }
        violate("\(name(node)) shows \(what) above \"\(seen.text.prefix(40))\", which its author had seen before")
    }

    /// Whether a log cannot be applied further because none of the disks that are asked still has what its next event
    /// names; that takes two stores that were rolled back.
    private func waitsForLost(_ key: LogKey, _ node: Int, _ circle: [Int], _ seen: Set<LogKey> = []) -> Bool {
        guard !seen.contains(key), let next = world.nodes[node].disk.nextToApply(in: key) else { return false }
        return next.header.references.contains { reference in
            let other = LogKey(key.conversation, reference.log)
            let isHeld = circle.contains {
                world.nodes[$0].disk.event(reference.id, at: reference.sequence, named: other) != nil
            }
            let place = world.nodes[node].disk.event(reference.id, at: reference.sequence, named: other)?.place
            return !isHeld || waitsForLost(place ?? other, node, circle, seen.union([key]))
        }
    }
}
