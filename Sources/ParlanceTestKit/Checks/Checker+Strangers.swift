import ParlanceCore
import ParlanceRecords
import ParlanceWire

// Checks that peers that are blocked or not accepted get nothing, and that nothing of theirs is stored.
extension Checker {
    /// A frame goes only to permitted peers: a blocked peer is told only that it is blocked, and events of a direct
    /// conversation go only to its two members.
    func checkAddressee(_ frame: WireFrame, on link: LinkID, _ node: Int) {
        guard let other = world.pipes[link]?.ends.first(where: { $0.link != link })?.node, other != node else { return }
        let (disk, id) = (world.nodes[node].disk, world.nodes[other].identity)
        if case .charterEvents = frame.kind, disk.workspace?.leavesOut(id) == true {
            watches[node].links.serveKeys(link)
        }
        guard world.nodes[node].engine?.isSettled == true else { return }
        let record = disk.peers[id]
        if disk.workspace?.leavesOut(id) == true {
            switch frame.kind {
            case .refuse, .bye: break
            case .charterEvents(let frame) where isFarewell(frame, to: id, by: disk.workspace?.charter): break
            default: violate("\(name(node)) has left \(name(other)) out, and sends it \(frame.coverageName)")
            }
        }
        if record?.trust == .blocked, isOld(other, node) {
            switch frame.kind {
            case .refuse, .bye: break
            default: violate("\(name(node)) has blocked \(name(other)) and sends it \(frame.coverageName)")
            }
        }
        guard let bytes = frame.conversation, let place = ConversationID(bytes),
            world.nodes[node].disk.memberships[place] == nil,
            world.nodes[node].disk.conversations.contains(where: { $0.id == place })
        else { return }
        if place != conversation(node, other) {
            violate("\(name(node)) sends \(name(other)) \(frame.coverageName) of a conversation with somebody else")
        } else if record?.isFriend != true, isOld(other, node) {
            violate("\(name(node)) sends \(name(other)) \(frame.coverageName), whom it has not accepted")
        }
    }

    /// Whether a frame tells somebody nothing of the charter but its exclusion, and what led to it.
    private func isFarewell(_ frame: WireCharterEvents, to peer: PeerID, by charter: Charter?) -> Bool {
        guard let charter, charter.isExcluded(peer) else { return false }
        let told = Set(charter.farewell(to: peer).map(\.headerBytes))
        return frame.events.allSatisfy { told.contains([UInt8]($0.header)) }
    }

    /// Whether a node's trust in another has been unchanged for so long that its engine knows that it is durable.
    private func isOld(_ other: Int, _ node: Int) -> Bool {
        world.now - (watches[node].opinionSince[other] ?? 0) > 1_000
    }

    /// In a direct conversation only what the other member wrote is stored, and only if that member is accepted.
    func checkStored(_ batch: PersistBatch, _ node: Int) {
        let disk = world.nodes[node].disk
        let own = world.nodes[node].identity
        for event in batch.events where event.via == nil {
            let written = LogID(author: own, replica: world.nodes[node].replica)
            if event.header.log == written { checkWritten(event, node) }
        }
        for event in batch.events where event.header.log.author != own {
            checkTime(of: event, node)
            let place = event.header.conversation
            guard disk.memberships[place] == nil, let author = indexes[event.header.log.author] else { continue }
            let isFriend = disk.peers[event.header.log.author]?.isFriend == true
            if place == conversation(node, author), isFriend || !isOld(author, node) { continue }
            return violate("\(name(node)) stores what \(name(author)) wrote, whom it has not accepted")
        }
    }

    func noteOpinions(_ batch: PersistBatch, _ node: Int) {
        for record in batch.peers {
            guard let peer = indexes[record.id] else { continue }
            checkPinned(record, node)
            checkAddresses(record, of: peer, node)
            guard watches[node].trusts[peer] != record.trust else { continue }
            checkUnblocked(record.trust, peer, node)
            checkAccepted(record.trust, peer, node)
            watches[node].trusts[peer] = record.trust
            watches[node].opinionSince[peer] = world.now
        }
    }

    /// A peer that dialled is found again where it accepts links; newer signed addresses are not replaced by older
    /// ones.
    private func checkAddresses(_ record: PeerRecord, of peer: Int, _ node: Int) {
        let time = record.signedAddresses.flatMap { WireAddresses.Entry(decoding: $0) }?.time
        defer { watches[node].addressTimes[peer] = time }
        if isHonest(peer), let place = record.addresses.first(where: { $0.port != world.nodes[peer].endpoint.port }) {
            return violate(
                "\(name(node)) remembers \(name(peer)) at \(place.host):\(place.port), where it takes no links"
            )
        }
        guard let time, let before = watches[node].addressTimes[peer], time < before else { return }
        violate("\(name(node)) takes addresses of \(name(peer)) that are older than those it held")
    }

    /// A node that left a network, or joined one, keeps no link of the other network.
    func checkNetworks() {
        for node in world.nodes.indices
        where world.nodes[node].engine?.isSettled == true && !world.nodes[node].isStopping {
            let keys = world.nodes[node].disk.workspace.map { Set($0.keys.map(\.tag)) }
            for link in watches[node].links.links.values where !link.isClosing {
                let isOfThis = keys.map { keys in link.tag.map(keys.contains) ?? false } ?? (link.tag == nil)
                if isOfThis { continue }
                return violate("\(name(node)) keeps a link with \(name(link.peer)) that is of another network")
            }
        }
    }

    /// A peer is accepted only by a user, or as a member of the workspace that was not declined, if the settings say so.
    private func checkAccepted(_ trust: Trust, _ peer: Int, _ node: Int) {
        guard trust == .accepted, (watches[node].trusts[peer] ?? .unknown) == .unknown,
            world.now - watches[node].actedAt > 10_000,
            world.now - watches[node].links.lastClosed > 1_000
        else { return }
        let newest = world.nodes[node].disk.workspace?.newest?.tag
        let isMember = newest != nil && watches[node].links.all(to: peer).contains { $0.tag == newest }
        guard !isMember || watches[node].declined[peer] != nil || !world.nodes[node].acceptsMembers else { return }
        violate("\(name(node)) has accepted \(name(peer)), and nobody said so")
    }

    /// The end of a block restores the trust of before, unless the user also accepts the peer.
    private func checkUnblocked(_ trust: Trust, _ peer: Int, _ node: Int) {
        let before = watches[node].trusts[peer] ?? .unknown
        if trust == .blocked { watches[node].blockedFrom[peer] = before }
        guard before == .blocked, trust != .blocked, let from = watches[node].blockedFrom.removeValue(forKey: peer)
        else {
            return
        }
        guard world.now - (watches[node].acceptedAt[peer] ?? -Self.settling) > Self.settling else { return }
        if from == .verified, trust == .accepted {
            return violate("\(name(node)) no longer blocks \(name(peer)), and has forgotten that it verified it")
        }
        guard from == .unknown, trust == .accepted || trust == .verified else { return }
        violate("\(name(node)) no longer blocks \(name(peer)), and has accepted it, which nobody did")
    }

    /// A peer that was declined can ask again after a day at the earliest.
    func checkAsked(_ view: PeerView, _ node: Int) {
        guard let peer = indexes[view.record.id], let since = watches[node].declined[peer] else { return }
        let past = world.instant(of: node).wall - since
        guard past >= 0, past < 86_400_000 else { return }
        violate("\(name(node)) declined \(name(peer)) \(past) ms ago, and is asked again")
    }

    /// What a node writes says when it was written, whatever its clock was before.
    private func checkWritten(_ event: StoredEvent, _ node: Int) {
        let wall = max(0, world.instant(of: node).wall)
        // A batch takes a while, and the clock may have been set in the meantime.
        guard world.now - clockSet(node) > 120_000, abs(event.header.written - wall) > 120_000 else { return }
        violate("\(name(node)) writes at \(wall) and says \(event.header.written)")
    }

    /// A message whose time is more than a day ahead is shown with its time of arrival, until the local clock makes its
    /// time possible.
    private func checkTime(of event: StoredEvent, _ node: Int) {
        let (wall, day) = (world.instant(of: node).wall, Int64(86_400_000))
        let written = event.header.written
        // A batch takes a while, and the clock may have been set in the meantime.
        guard world.now - clockSet(node) > 120_000,
            abs(written - wall - day) > 600_000, event.arrived.map({ abs($0 - wall) < 600_000 }) ?? true
        else {
            return
        }
        guard (event.arrived != nil) == (written > wall + day) else {
            return violate("\(name(node)) takes the time of an event that is \(written - wall) ms ahead")
        }
        let time = WrittenTime(event.header, arrived: event.arrived)
        if event.arrived != nil, time.shown(at: wall) != event.arrived || time.shown(at: written) != written {
            violate("\(name(node)) shows \(time.shown(at: wall)) as the time of what claims \(written)")
        }
    }
}
