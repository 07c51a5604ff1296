import FoundationEssentials
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// The charter of the workspace: what its user changes, and what members hand on (charter.md).
extension Engine {
    /// Changes the charter as the user said.
    ///
    /// - Parameter isPreview: whether only those are told whom the change means.
    mutating func changeCharter(
        _ command: CharterCommand,
        _ who: [String],
        _ id: CommandID,
        isPreview: Bool = false
    ) {
        guard let current = workspace.current else { return turn.refuse(id, .workspace(.none)) }
        guard !current.awaitsCharter else { return turn.refuse(id, .workspace(.charterNotCome)) }
        guard let charter = current.charter else {
            // There the only change is a new key for all but some.
            if isPreview, case .exclude(let key) = command { return rotate(to: key, without: who, id, isPreview: true) }
            return turn.refuse(id, .workspace(.noCharter))
        }
        guard charter.isAdmin(identity) else {
            if let by = charter.excluder(of: identity) { return turn.refuse(id, .workspace(.excludedUser(named(by)))) }
            return turn.refuse(id, .workspace(.adminsOnly(charter.admins.map { named($0).name })))
        }
        var peers: [PeerID]
        switch resolveMembers(who) {
        case .success(let found): peers = found
        case .failure(let error): return turn.refuse(id, error)
        }
        let meant = peers.map { standing(of: $0) }
        var passedOver: [PeerID] = []
        // Who is a member by the key alone stays one when admins let members in.
        if case .policy(Charter.Admission.policy, let value, let listed) = command {
            peers = workspace.members(links, people)
            if let listed, Charter.Admission(saying: value) == .approve {
                switch resolveMembers(listed) {
                case .success(let found):
                    let kept = Set(found)
                    passedOver = kept.symmetricDifference(peers).subtracting(charter.admitted).sorted()
                    passedOver.removeAll { $0 == identity || charter.isExcluded($0) }
                    peers.removeAll { !kept.contains($0) }
                case .failure(let error): return turn.refuse(id, error)
                }
            }
        }
        if let reason = refusal(of: command, peers, charter) { return turn.refuse(id, .workspace(reason)) }
        if isPreview { return workspace.answer(id, about: meant, links, people, &turn) }
        route(workspace.change(command, peers, about: meant, passingOver: passedOver, links, people, id, &turn))
    }

    /// What somebody is in the workspace now.
    func standing(of peer: PeerID) -> WorkspaceView.Meant {
        let charter = workspace.current?.charter
        let standing: WorkspaceView.Standing =
            if workspace.current?.leavesOut(peer) == true {
                .excluded
            } else if charter?.awaits(peer) == true, workspace.requests[peer] != nil {
                .waiting
            } else if workspace.members(links, people).contains(peer) {
                .member
            } else {
                .outside
            }
        return WorkspaceView.Meant(peer: peer, was: standing)
    }

    /// People whom the charter may name, each once: by the whole peer ID also those whom this node has never met.
    private func resolveMembers(_ who: [String]) -> Result<[PeerID], Refusal> {
        var peers: [PeerID] = []
        var known: Set<PeerID> = []
        for name in who {
            switch PeerID(text: name).map({ .success($0) }) ?? resolve(name) {
            case .success(let peer): if known.insert(peer).inserted { peers.append(peer) }
            case .failure(let error): return .failure(error)
            }
        }
        return .success(peers)
    }

    /// Why a change would not have the effect that its user means; `nil` if it would.
    private func refusal(
        of command: CharterCommand,
        _ peers: [PeerID],
        _ charter: Charter
    ) -> Refusal.WorkspaceReason? {
        switch command {
        case .appoint, .admit:
            if let peer = peers.first(where: { charter.isExcluded($0) }) { return .excluded(named(peer)) }
            if case .appoint = command, !charter.mayAppoint(peers) { return .manyAdmins }
        case .dismiss:
            if let peer = peers.first(where: { charter.isSenior($0, to: identity) }) { return .senior(named(peer)) }
        case .exclude:
            if peers.contains(identity) { return .excludesOneself }
            if let peer = peers.first(where: { charter.isSenior($0, to: identity) }) { return .senior(named(peer)) }
        case .readmit:
            if let peer = peers.first(where: { !charter.isExcluded($0) }) { return .notExcluded(named(peer)) }
        case .invite(_, let uses, let until):
            guard charter.admission == .approve else { return .admissionOpen }
            guard (1...Limits.charterInvitationUses).contains(uses) else { return .invitationUses }
            guard until >= turn.now.wall else { return .invitationOver }
        case .endInvitation(let which):
            if charter.invitations(meant: which).count != 1 {
                return .unknownInvitation(which.withoutControlCharacters)
            }
        case .policy(let name, let value, _):
            guard !name.isInvitationName else { return .invitationPolicy }
            guard name.isPolicyName else { return .policyName }
            guard value.isPolicyValue else { return .policyValue }
        case .rotate: break
        }
        return nil
    }

    // Links.

    /// Tells the peer which charter this node holds, and how much of it.
    mutating func greetWithCharter(on id: LinkID) {
        guard let charter = stored.workspace?.charter, links[id]?.workspaceTag != nil else { return }
        send([], of: charter, on: id)
        links.change(id) { $0.charter.greeted(with: charter.id) }
    }

    /// Tells a peer what is durable here and what it may lack.
    mutating func tellCharter(on id: LinkID) {
        guard let charter = stored.workspace?.charter, let link = links[id], link.stage != .closing,
            link.workspaceTag != nil, !people.isRemoved(link.peer)
        else { return }
        guard link.charter.named == charter.id else {
            if link.charter.greeted != charter.id { greetWithCharter(on: id) }
            return
        }
        guard !link.charter.isTelling(charter) else { return }
        if link.charter.heard != charter.hash { send(link.charter.untold(charter), of: charter, on: id) }
        links.change(id) { $0.charter.told(charter) }
    }

    /// Sends an excluded peer what shows that it is excluded, and gives it time to show what this node lacks.
    ///
    /// - Returns: whether it is told anything. If not, the link is to be refused.
    mutating func sendFarewell(on id: LinkID) -> Bool {
        guard let charter = stored.workspace?.charter, let link = links[id], link.workspaceTag != nil,
            charter.isExcluded(link.peer), !contacts.isBlocked(link.peer), link.stage == .open,
            // A peer that has sent its own exclusion knows of it, and has sent everything else with it.
            !charter.exclusions(of: link.peer).allSatisfy({ link.charter.contains($0) })
        else { return false }
        // It is not told everything: if it turns out to be a member again, the rest follows.
        send(charter.farewell(to: link.peer), of: charter, on: id)
        links.change(id) { $0.charter.greeted(with: charter.id) }
        links.handKeys(on: id, &turn)
        return true
    }

    /// Tells a peer events, in parts: the next part follows when the peer has answered.
    private mutating func send(_ events: [StoredEvent], of charter: Charter, on id: LinkID) {
        let waits = links[id]?.charter.owes == true
        links.change(id) { $0.charter.owe(events) }
        if !waits { sendPart(of: charter, on: id) }
    }

    private mutating func sendPart(of charter: Charter, on id: LinkID) {
        let events = links.change(id) { $0.charter.takeOwed() } ?? []
        var frame = WireCharterEvents(hashOf: charter)
        var bytes = 0
        for event in events {
            if bytes + event.byteCount > Limits.charterFrameBytes && !frame.events.isEmpty {
                frame.more = true
                send(.charterEvents(frame), on: id)
                (frame.events, frame.more, bytes) = ([], false, 0)
            }
            frame.events.append(event.wire)
            bytes += event.byteCount
        }
        frame.waits = links[id]?.charter.owes == true
        frame.more = frame.waits
        send(.charterEvents(frame), on: id)
    }

    mutating func charterReceived(_ frame: WireCharterEvents, on id: LinkID) throws(Breach) {
        guard let link = links[id], link.stage != .closing, link.workspaceTag != nil, workspace.current != nil else {
            return
        }
        guard let named = ConversationID(frame.charter), frame.hash.count == Charter.hashBytes else {
            throw .charterEventsFields
        }
        guard links.change(id, { $0.charter.heard(named, [UInt8](frame.hash)) }) == true else {
            throw .charterEventsFields
        }
        switch workspace.meeting(with: named) {
        case .foreign, .offered: return charterMet(from: link)
        case .named: route(workspace.adopt(named, &turn))
        case .held: break
        }
        try take(frame.events, of: named, on: id)
        guard !frame.more || frame.waits || links[id]?.charter.hasRoom == false else { return }
        let new = links.change(id) { $0.charter.takeParts() } ?? []
        route(workspace.insert(new, &turn))
        if let charter = workspace.current?.charter { links.change(id) { $0.charter.forget(allBut: charter) } }
        if let charter = stored.workspace?.charter, charter.id == named {
            // Also while the peer has to answer a part of this node: both may have much to tell.
            if frame.waits { send(.charterEvents(WireCharterEvents(hashOf: charter)), on: id) }
            if frame.events.isEmpty && links[id]?.charter.owes == true { sendPart(of: charter, on: id) }
        }
        answerCharter(on: id, hasEvents: !frame.events.isEmpty && !frame.more)
    }

    /// Verifies events and keeps them until the rest has come.
    private mutating func take(
        _ events: [WireEvent],
        of charter: ConversationID,
        on id: LinkID
    ) throws(Breach) {
        let held = workspace.current?.charter
        for received in events.map({ ReceivedEvent($0) })
        where held?.contains(received.id) != true && links[id]?.charter.contains(received.id) != true {
            var event = try RunVerifier.verify(single: received, in: charter)
            event.arrive(at: turn.now.wall)
            links.change(id) { $0.charter.add(event) }
        }
    }

    /// Tells the peer what it lacks, and then the key.
    private mutating func answerCharter(on id: LinkID, hasEvents: Bool) {
        guard let charter = workspace.current?.charter, let durable = stored.workspace?.charter,
            durable.id == charter.id,
            let link = links[id]
        else { return }
        if people.isRemoved(link.peer) {
            // Somebody excluded has said all that it holds, has taken what it was told, or holds what is held here.
            let hasTaken = link.charter.hasGrown && !link.charter.owes
            let hasAnswered = hasEvents || hasTaken || link.charter.heard == charter.hash
            if link.stage == .handingKeys, hasAnswered { refuse(id) }
            return
        }
        if !link.charter.isTelling {
            if ![charter.hash, durable.hash].contains(link.charter.heard) {
                send(link.charter.untold(durable), of: durable, on: id)
            }
            links.change(id) { $0.charter.told(durable) }
        }
        _ = handOnKey(on: id)
        // Nothing is left to say on a link with an old key, unless the peer has a key that is lacking here.
        let isComplete = workspace.current?.newest?.hash == charter.rotations.last?.key
        if link.stage == .handingKeys, isComplete, link.charter.heard == charter.hash { close(id, .renewed) }
    }

    /// A peer names a charter that is not held here: the user is told.
    ///
    /// - Parameter link: as it was before.
    private mutating func charterMet(from link: Link) {
        if link.charter.named != links[link.id]?.charter.named { tellWorkspace() }
    }

    /// The workspace as people see it now.
    var workspaceView: WorkspaceView? { workspace.view(links, people, at: turn.now.wall) }

    /// Tells people of the workspace, if it is not as they were told.
    mutating func tellWorkspace() {
        let view = workspaceView
        let before = workspace.told
        if workspace.tells(view) { turn.emit(.notify(.workspace(view, from: before))) }
    }

    // Keys.

    mutating func rotationDue() {
        route(workspace.rotateByItself(to: couriers.newSecret(), &turn))
    }
}

extension WireCharterEvents {
    /// A frame without events.
    fileprivate init(hashOf charter: Charter) {
        self.init()
        self.charter = Data(charter.id.bytes)
        hash = Data(charter.hash)
    }
}
