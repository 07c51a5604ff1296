import ParlanceCore
import ParlanceRecords
import ParlanceWire

// Checks what must hold everywhere once the faults have stopped.
extension Checker {
    func finish() {
        audit()
        checkKept(world.nodes.indices)
        for node in world.nodes.indices {
            guard let engine = world.nodes[node].engine else { return violate("\(name(node)) does not run") }
            if !engine.isSettled { violate("\(name(node)) has something to write without end") }
            checkDisk(of: node)
        }
        for a in world.nodes.indices {
            for b in world.nodes.indices where a < b && isHonest(a) && isHonest(b) {
                guard violation == nil else { return }
                guard isMutual(a, b) else { continue }
                checkPair(a, b)
                checkMessages(a, b)
            }
        }
        checkGroups()
        checkHistories()
        checkAuthors()
        checkNames()
    }

    func isMutual(_ a: Int, _ b: Int) -> Bool {
        world.nodes[a].disk.peers[world.nodes[b].identity]?.isFriend == true
            && world.nodes[b].disk.peers[world.nodes[a].identity]?.isFriend == true && world.canMeet(a, b)
    }

    /// Both nodes hold the same, show the same and know it.
    func checkPair(_ a: Int, _ b: Int) {
        let conversation = conversation(a, b)
        let links = world.links(between: a, b)
        if links != 1 { return violate("\(name(a)) and \(name(b)) have \(links) links") }
        let (one, other) = (world.nodes[a].disk, world.nodes[b].disk)
        if let found = one.disagreement(with: other, on: conversation) {
            return violate("\(name(a)) and \(name(b)) differ: \(found)")
        }
        for (node, peer) in [(a, b), (b, a)] {
            checkFinalView(of: node, peer, conversation)
            checkPresence(of: peer, at: node)
            checkPicture(of: peer, at: node)
            let peerID = world.nodes[peer].identity
            // One for which the recipient had no room waits for an hour.
            let due = world.nodes[node].disk.envelopes.values.map(\.record).filter { record in
                let refused = watches[node].kept[record.id]?.refusedAt
                return peer != world.network.older
                    && refused.map { world.now - $0 > Limits.handOverAgainMilliseconds } ?? true
            }
            if due.contains(where: { $0.recipient == peerID }) {
                violate("\(name(node)) still keeps an envelope for \(name(peer))")
            }
        }
    }

    /// What one node shows about its messages to another, and whether it says "read" for what the other has read.
    func checkFinalView(of node: Int, _ peer: Int, _ conversation: ConversationID) {
        let disk = world.nodes[node].disk
        let own = disk.logs(of: conversation).filter { $0.author == world.nodes[node].identity }
        guard !own.isEmpty else { return }
        guard let view = finalViews[node]?[conversation],
            let place = view.recipients.firstIndex(where: { $0.peer == world.nodes[peer].identity })
        else { return violate("\(name(node)) lists no deliveries to \(name(peer))") }
        for log in own {
            let key = LogKey(conversation, log)
            let through = completeThrough(of: key, at: peer)
            guard let shown = view.logs.first(where: { $0.log == log }) else {
                return violate("\(name(node)) lists nothing of \(log.short)")
            }
            let progress = shown.progress[place]
            if progress.delivered.sequence < through {
                return violate(
                    "\(name(node)) shows \(log.short) as delivered to \(name(peer)) through "
                        + "\(progress.delivered.sequence); it is there through \(through)"
                )
            }
            let read = readByPresentStore(of: peer, log, conversation)
            if progress.read.sequence < read {
                return violate(
                    "\(name(peer)) has read \(log.short) through \(read); \(name(node)) knows of "
                        + "\(progress.read.sequence)"
                )
            }
        }
        if let reason = view.recipients[place].reason {
            violate("\(name(node)) says that messages to \(name(peer)) wait: \(reason)")
        }
    }

    private func readByPresentStore(of peer: Int, _ log: LogID, _ conversation: ConversationID) -> UInt64 {
        let key = WatermarkRecord.Key(
            conversation: conversation,
            member: world.nodes[peer].identity,
            replica: world.nodes[peer].replica,
            log: log,
            level: .read
        )
        return world.nodes[peer].disk.watermarks[key]?.position.sequence ?? 0
    }

    private func checkPresence(of peer: Int, at node: Int) {
        let found = finalPeers[node]?.first { $0.record.id == world.nodes[peer].identity }
        guard let view = found, view.connected, view.presence.activity != nil else {
            return violate("\(name(node)) does not show \(name(peer)) as present")
        }
        let announced = world.nodes[peer].disk.profile.name
        checkAnnounced(view, peer, at: node)
        if view.record.announcedName != announced {
            violate("\(name(node)) knows \(name(peer)) as \(view.record.announcedName), not \(announced)")
        }
    }

    /// Every accepted message is there, in the order in which its author saw the messages.
    private func checkMessages(_ a: Int, _ b: Int) {
        let conversation = conversation(a, b)
        for node in [a, b] {
            let history = world.nodes[node].disk.history(of: conversation)
            let places = Dictionary(uniqueKeysWithValues: history.enumerated().map { ($1.id, $0) })
            for id in acceptedOrder[conversation] ?? [] {
                if let message = accepted[id] { check(message, places, node, among: [a, b]) }
            }
        }
    }

    /// The projections that were kept equal those made from the events, and the real store equals the model.
    private func checkDisk(of node: Int) {
        let disk = world.nodes[node].disk
        guard let rebuilt = try? disk.rebuilt() else { return violate("\(name(node))'s rows cannot be made anew") }
        for record in disk.conversations {
            guard let what = disk.disagreement(with: rebuilt, on: record.id) else { continue }
            return violate("\(name(node))'s projections made anew differ from those kept along: \(what)")
        }
        guard let real = world.nodes[node].real else { return }
        do {
            for _ in 0...1 {
                for record in disk.conversations where try real.history(of: record.id) != disk.history(of: record.id) {
                    return violate("\(name(node))'s store shows another history than the model")
                }
                try real.rebuild()
            }
        } catch { violate("\(name(node))'s store failed: \(error)") }
    }
}
