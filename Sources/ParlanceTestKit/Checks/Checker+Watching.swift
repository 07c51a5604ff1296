import ParlanceCore
import ParlanceWire

// What the checkers examine while people write: each fact that an engine is told, each batch, and everything every few
// seconds.
extension Checker {
    func told(_ input: Input, _ node: Int) {
        switch input {
        case .linkOpened(let opened):
            guard let peer = indexes[opened.peer] else { return }
            let isForKeys = isForKeys(opened, node)
            links[node].open(opened.link, peer, tag: opened.workspaceTag, isForKeys: isForKeys, at: world.now)
            if !isForKeys { settleOwed(to: peer, by: node) }
        case .frameReceived(let link, let frame, _):
            noteFrame(frame, on: link, node)
            noteHanded(frame, on: link, node)
            noteEnvelopes(frame, on: link, node)
        case .linkClosed(let link, _): links[node].close(link, at: world.now)
        case .persisted(_, let receipt): noteApplied(receipt, node)
        case .readFailed, .eventsRead(_, []), .envelopeRead(_, nil): parcels.badRead[node] = world.now
        case .persistFailed: floors[node].failed = world.now
        case .commandGiven(let id, let command):
            if command.isOfAPerson { actedAt[node] = world.now }
            noteParcel(id, command, node)
        default: break
        }
        noteDesk(input, node)
    }

    /// A batch is durable.
    func synced(_ batch: PersistBatch, _ node: Int) {
        noteOpinions(batch, node)
        checkStored(batch, node)
        noteDeposits(batch, node)
        noteMarks(batch, node)
        checkJoined(batch, node)
        checkNamesTold(batch, node)
        noteWaiting(batch, node)
        if let profile = batch.profile {
            namesBorne[node].insert(profile.name)
            desks[node].profileChanged(at: world.now)
        }
        checkErased(batch, node)
        checkFloors(batch, node)
        checkListed(batch, node)
        for envelope in batch.envelopes { kept[node][envelope.record.id] = Kept(envelope.record, since: world.now) }
        for event in batch.events where event.header.log.author == world.nodes[node].identity {
            wrote[node][event.header.conversation] = world.now
        }
    }

    /// Whether a link was opened with a workspace key that ceased to be the newest a day ago, by the node's clock.
    private func isForKeys(_ opened: LinkOpened, _ node: Int) -> Bool {
        let key = world.nodes[node].disk.workspace?.keys.first { $0.tag == opened.workspaceTag }
        guard let since = key?.superseded else { return false }
        return world.instant(of: node).wall - since >= 86_400_000
    }

    /// A node's process has begun: it knows nobody who is here yet.
    func begin(_ node: Int) {
        (links[node], shown[node]) = (LinkWatch(), Shown())
        (keysUsed[node], openable[node], handedOver[node]) = ([:], [:], [])
        actedAt[node] = world.now
        desks[node] = Desk()
        namesBorne[node].insert(world.nodes[node].disk.profile.name)
        noteHeads(of: node)
        noteMembers(of: node)
        floors[node].begin(world.nodes[node].disk, at: world.now)
        restartWaiting(node)
        keptDue.insert(node)
        begunDay(at: node)
    }

    /// A store was rolled back: what is known about the previous store no longer counts.
    func forget(_ node: Int) {
        (marks[node], owed[node], namings[node], pinned[node]) = ([:], [:], [:], [:])
        (blockedFrom[node], acceptedAt[node], declined[node]) = ([:], [:], [:])
        (trusts[node], opinionSince[node], groupSince[node], kept[node]) = ([:], [:], [:], [:])
        addressTimes[node] = [:]
        parcels.taken[node] = []
        let disk = world.nodes[node].disk
        for row in disk.watermarks.values {
            marks[node][row.key] = Mark(sequence: row.position.sequence, since: world.now)
        }
        for record in disk.peers.values {
            guard let peer = indexes[record.id] else { continue }
            (trusts[node][peer], opinionSince[node][peer]) = (record.trust, world.now)
            pinned[node][peer] = record.trust == .unknown ? nil : record.pinnedName
        }
        for group in disk.groups { groupSince[node][group] = world.now }
        for envelope in disk.envelopes.values {
            kept[node][envelope.record.id] = Kept(envelope.record, since: world.now)
        }
    }

    /// Runs every few seconds.
    func tick() {
        noteTrouble()
        checkPresences()
        checkNetworks()
        let due = keptDue.filter { knowsItsDisk($0) }.sorted()
        keptDue.subtract(due)
        checkKept(due)
    }

    /// Runs every minute.
    func watch() {
        minutes += 1
        if minutes % 3 == 0 { checkNextHistory() }
        checkReceipts()
        checkHandedOver()
        checkWaiting()
        checkRefusals()
        checkSwept()
        let next = minutes % world.nodes.count
        checkKept([next])
        checkScreen(of: next)
    }
}

extension Command {
    /// Whether a person gives the command: requests by programs are no sign of a person.
    fileprivate var isOfAPerson: Bool {
        switch self {
        case .find, .findConversation, .findGroup, .listPeers, .listConversations, .listForks, .examine, .dialBack,
            .listDeliveries, .status, .workspace(.show):
            false
        default: true
        }
    }
}
