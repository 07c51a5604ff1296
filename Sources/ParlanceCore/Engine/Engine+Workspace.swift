import FoundationEssentials
import ParlanceSodium
import ParlanceWire

// The workspace: its commands, its links, and the exchange of its newest key (workspaces.md).
extension Engine {
    mutating func carryOut(_ command: WorkspaceCommand, _ id: CommandID) {
        switch command {
        case .show: turn.emit(.answer(id, .success(.workspace(workspaceView))))
        case .found(let name, let key, let nonce): route(workspace.found(name, key, nonce, links, people, id, &turn))
        case .join(let name, let key, let code, let invitation, let isChosen):
            route(workspace.join(name, key, code, invitation, isChosen: isChosen, links, people, id, &turn))
        case .adopt(let named): route(workspace.adopt(named, links, people, id, &turn))
        case .leave: route(workspace.leave(links, people, id, &turn))
        case .rotate(let key, let who):
            guard workspace.current?.charter != nil else { return rotate(to: key, without: who, id) }
            changeCharter(who.isEmpty ? .rotate(key) : .exclude(key), who, id)
        case .change(let change, let who): changeCharter(change, who, id)
        case .preview(let change, let who): changeCharter(change, who, id, isPreview: true)
        case .importPeople(let list): importPeople(list, id)
        case .log: tellLog(id)
        }
    }

    /// Answers with the charter whose log the user wants to read.
    private mutating func tellLog(_ id: CommandID) {
        guard let current = workspace.current else { return turn.refuse(id, .workspace(.none)) }
        guard !current.awaitsCharter else { return turn.refuse(id, .workspace(.charterNotCome)) }
        guard let charter = current.charter else { return turn.refuse(id, .workspace(.noCharter)) }
        turn.emit(.answer(id, .success(.charter(charter))))
    }

    /// - Parameter isPreview: whether only those who would be left out are told.
    mutating func rotate(to key: WorkspaceKey, without who: [String], _ id: CommandID, isPreview: Bool = false) {
        if let reason = workspace.obstacleToRotation { return turn.refuse(id, .workspace(reason)) }
        var leftOut: [PeerID] = []
        for name in who {
            switch resolve(name) {
            case .success(let peer): leftOut.append(peer)
            case .failure(let error): return turn.refuse(id, error)
            }
        }
        if isPreview { return workspace.answer(id, about: leftOut.map { standing(of: $0) }, links, people, &turn) }
        route(workspace.rotate(to: key, without: leftOut, links, people, id, &turn))
    }

    /// Applies the durable state of the workspace to the links.
    mutating func useWorkspace() {
        turn.emit(.useKeys(stored.workspace?.keys ?? []))
        // Those of another network that still wait for the first frame end below as any other.
        for opened in links.leftAside where !workspace.takes(opened.workspaceTag) {
            links.bringIn(opened.link, &turn)
        }
        for id in links.keys.sorted() {
            guard let link = links[id] else { continue }
            if !workspace.takes(link.workspaceTag) {
                // Links with peers of another network are closed, also those that serve only to exchange keys. Peers of
                // the new one are dialled.
                close(id, .unspecified, because: .otherWorkspace)
            } else if link.closing {
                tellCharter(on: id)
            } else if people.isRemoved(link.peer) {
                closeRemovedPeer(id)
            } else if shutsOut(link) {
                close(id, .renewed)
            } else {
                tellCharter(on: id)
                // An admin may have let it in.
                if workspace.current?.charter != nil, link.helloReceived { acceptMember(on: link) }
                _ = handOnKey(on: id)
                exchangeAddressesLate(on: id)
            }
        }
        couriers.freeLeftOut(people, &turn)
        forgetErasedDeposits()
        welcomeAnswered()
        noteWaiting()
        dialing.workspaceChanged(links, people, &turn)
        tellKeptApart()
        guard workspace.current?.charter != nil else { return }
        workspace.considerRotation(links, &turn)
        workspace.considerAdmission(links, &turn)
        tellWorkspace()
    }

    /// Forgets what couriers held and have erased: for people whom the workspace has left out and, if it has left out this
    /// user, for all.
    private mutating func forgetErasedDeposits() {
        let isLeftOut = workspace.current?.charter?.isExcluded(identity) == true
        for record in contacts.all where !record.deposits.isEmpty && (isLeftOut || people.isRemoved(record.id)) {
            contacts.keepDeposits([], for: record.id, &turn)
        }
    }

    /// Refuses a peer that is blocked or left out. Somebody excluded is told why first.
    mutating func closeRemovedPeer(_ id: LinkID) {
        if !sendFarewell(on: id) { refuse(id) }
    }

    /// Accepts a member of the workspace automatically, unless the user has decided otherwise, or many came lately.
    mutating func acceptMember(on link: Link) { acceptMember(link.peer, with: link.workspaceTag) }

    /// - Parameter tag: that of the key with which the peer came.
    mutating func acceptMember(_ peer: PeerID, with tag: UInt32?) {
        guard let record = contacts[peer], workspace.accepts(record, with: tag),
            workspace.admit(peer, besides: contacts.all.count(where: \.isAccepted), at: turn.now.monotonic)
        else { return }
        acceptUnasked(peer)
    }

    /// Accepts a peer whom the user has not answered; a request that there is, is answered.
    mutating func acceptUnasked(_ peer: PeerID) {
        trust(peer)
        if contacts[peer]?.request != nil { answerRequest(of: peer) } else { turn.whenDurable(.openContact(peer)) }
    }

    // Exchanging the newest key (workspaces.md, "Rotation: WorkspaceKey").

    /// Sends an accepted peer the newest durable key, its number, and the removed members, if the peer may lack any of
    /// these.
    ///
    /// - Returns: whether the link serves any other purpose. A link opened with a key that was superseded a day ago
    ///   does not: both sides send their keys, since each may have created one while they were apart, and the link
    ///   ends.
    mutating func handOnKey(on id: LinkID) -> Bool {
        guard let workspace = stored.workspace, let link = links[id], let newest = workspace.newest,
            let handover = workspace.handover(on: link, isAccepted: contacts.isAccepted(link.peer), at: turn.now.wall)
        else { return true }
        if handover.isTold {
            var frame = WireWorkspaceKey()
            frame.key = newest.secret.withBytes { Data($0) }
            frame.number = newest.number
            frame.removed = workspace.removed.sorted().map { Data($0.bytes) }
            links.change(id) { $0.toldKey(newest, removed: workspace.removed) }
            send(.workspaceKey(frame), on: id)
        }
        guard !handover.serves else { return true }
        guard link.stage == .open else { return false }
        // With a charter a key is told after the rotation that names it.
        guard handover.isTold || workspace.charter != nil && contacts.isAccepted(link.peer) else {
            close(id, .renewed)
            return false
        }
        links.handKeys(on: id, &turn)
        return false
    }

    /// Handles a frame on a link that serves only the exchange of keys.
    mutating func keysReceived(_ frame: WireFrame, on id: LinkID) throws(Breach) {
        switch frame.kind {
        case .bye(let bye): byeReceived(bye, on: id)
        case .charterEvents(let events): try charterReceived(events, on: id)
        case .workspaceKey(let key) where links.peer(of: id).map({ !people.isRemoved($0) }) == true:
            try workspaceKeyReceived(key, on: id)
            close(id, .renewed)
        default: break
        }
    }

    mutating func keysDue(_ id: LinkID) {
        guard let link = links[id] else { return broken("a link whose time to hand over keys ends is open") }
        guard !people.isRemoved(link.peer) else { return refuse(id) }
        workspace.heardNoKey(of: link.peer)
        close(id, .renewed)
    }

    mutating func workspaceKeyReceived(_ frame: WireWorkspaceKey, on id: LinkID) throws(Breach) {
        // Keys are accepted only from accepted peers, and only within the workspace.
        guard let link = links[id], link.workspaceTag != nil, contacts.isAccepted(link.peer),
            workspace.current?.newest != nil
        else { return }
        let removed = frame.removed.compactMap { PeerID($0) }
        guard frame.key.count == 32, removed.count == frame.removed.count,
            workspace.allows(number: frame.number, removed: removed.count)
        else { throw .workspaceKeyFields }
        let key = WorkspaceKey(secret: SecretBytes(copying: [UInt8](frame.key)), number: frame.number)
        let facts = workspace.learn(key, removed: removed, own: identity, &turn)
        let known = workspace.current?.removed ?? []
        let newest = workspace.current?.newer(link.toldKey ?? key, key) ?? key
        links.change(id) { $0.heardKey(newest, removed: removed, known: known) }
        route(facts)
    }
}
