import ParlanceCore
import ParlanceRecords
import ParlanceWire

// What the checkers examine while people write: each fact that an engine is told, each batch, and everything every few
// seconds.
extension Checker {
    func told(_ input: Input, _ node: Int) {
        switch input {
        case .linkOpened(let opened):
            guard let peer = indexes[opened.peer] else { return }
            let isForKeys = isForKeys(opened, node)
            watches[node].links.open(opened.link, peer, tag: opened.workspaceTag, isForKeys: isForKeys, at: world.now)
            if !isForKeys { settleOwed(to: peer, by: node) }
        case .frameReceived(let link, let frame, _):
            noteFrame(frame, on: link, node)
            noteHanded(frame, on: link, node)
            noteEnvelopes(frame, on: link, node)
        case .linkClosed(let link, _): watches[node].links.close(link, at: world.now)
        case .persisted(_, let receipt): noteApplied(receipt, node)
        case .mentionRead(let read, let isNamed): noteMention(read, isNamed, node)
        case .readFailed, .eventsRead(_, []), .envelopeRead(_, nil): watches[node].badRead = world.now
        case .persistFailed: watches[node].floors.failed = world.now
        case .commandGiven(let id, let command):
            if command.isOfAPerson { watches[node].actedAt = world.now }
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
            watches[node].namesBorne.insert(profile.name)
            watches[node].desks.profileChanged(at: world.now)
        }
        checkErased(batch, node)
        checkFloors(batch, node)
        checkListed(batch, node)
        for envelope in batch.envelopes {
            watches[node].kept[envelope.record.id] = Kept(envelope.record, since: world.now)
        }
        for event in batch.events where event.header.log.author == world.nodes[node].identity {
            watches[node].wrote[event.header.conversation] = world.now
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
        (watches[node].links, watches[node].shown) = (LinkWatch(), Shown())
        (watches[node].keysUsed, watches[node].openable, watches[node].handedOver) = ([:], [:], [])
        (watches[node].mentionsAsked, watches[node].filesAsked) = ([:], [])
        watches[node].actedAt = world.now
        watches[node].desks = Desk()
        watches[node].namesBorne.insert(world.nodes[node].disk.profile.name)
        noteHeads(of: node)
        noteMembers(of: node)
        watches[node].floors.begin(world.nodes[node].disk, at: world.now)
        restartWaiting(node)
        keptDue.insert(node)
        begunDay(at: node)
    }

    /// A store was rolled back: what is known about the previous store no longer counts.
    func forget(_ node: Int) {
        (watches[node].marks, watches[node].owed, watches[node].namings, watches[node].pinned) = ([:], [:], [:], [:])
        (watches[node].blockedFrom, watches[node].acceptedAt, watches[node].declined) = ([:], [:], [:])
        (watches[node].trusts, watches[node].opinionSince, watches[node].groupSince, watches[node].kept) = (
            [:], [:], [:], [:]
        )
        watches[node].addressTimes = [:]
        watches[node].parcelsTaken = []
        let disk = world.nodes[node].disk
        for row in disk.watermarks.values {
            watches[node].marks[row.key] = Mark(sequence: row.position.sequence, since: world.now)
        }
        for record in disk.peers.values {
            guard let peer = indexes[record.id] else { continue }
            (watches[node].trusts[peer], watches[node].opinionSince[peer]) = (record.trust, world.now)
            watches[node].pinned[peer] = record.trust == .unknown ? nil : record.pinnedName
        }
        for group in disk.groups { watches[node].groupSince[group] = world.now }
        for envelope in disk.envelopes.values {
            watches[node].kept[envelope.record.id] = Kept(envelope.record, since: world.now)
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
