import ParlanceHistory
import ParlanceRecords
import ParlanceSodium
import ParlanceWire

// The charter of this node's workspace: what its user signs, and what members hand on (charter.md).
extension OwnWorkspace {
    // Commands.

    /// Founds a workspace: this user is its first admin.
    ///
    /// - Parameter nonce: 16 random bytes, so that no two charters are the same.
    mutating func found(
        _ name: String,
        _ key: WorkspaceKey,
        _ nonce: [UInt8],
        _ links: Links,
        _ people: People,
        _ id: CommandID,
        _ turn: inout Turn
    ) -> [Fact] {
        if let fault = name.faultAsName {
            turn.refuse(id, .text(.workspaceName(fault)))
            return []
        }
        guard current == nil else {
            turn.refuse(id, .workspace(.other(current?.shownName ?? "")))
            return []
        }
        let name = name.withoutControlCharacters.trimmed
        let body = Charter.creation(name, nonce)
        var charter = Charter(id: ConversationID(creator: turn.own.identity, charter: body))
        charter.write(.create, body, turn)
        _ = charter.sign(.rotate, saying: .rotation(to: key, number: 1, isAutomatic: false), turn)
        var founded = Workspace(name: name, keys: [key], charter: charter)
        founded.sortKeys(at: turn.now.wall)
        let facts = change(to: founded, &turn)
        answer(id, links, people, &turn)
        return facts
    }

    /// Adopts the charter that a linked member names, because the user says so.
    ///
    /// - Parameter named: the ID of the charter that was shown to the user; no other one is taken.
    mutating func adopt(
        _ named: String?,
        _ links: Links,
        _ people: People,
        _ id: CommandID,
        _ turn: inout Turn
    ) -> [Fact] {
        guard let current else {
            turn.refuse(id, .workspace(.none))
            return []
        }
        let offers = metCharters(links).filter(\.isOffered)
        guard current.charter == nil, let offered = offers.first else {
            turn.refuse(id, .workspace(current.charter == nil ? .noOffer : .hasCharter))
            return []
        }
        guard offers.allSatisfy({ $0.id == offered.id }) else {
            turn.refuse(id, .workspace(.manyOffers))
            return []
        }
        guard named == nil || named == offered.id.text else {
            turn.refuse(id, .workspace(.otherOffer))
            return []
        }
        let facts = adopt(offered.id, &turn)
        answer(id, links, people, &turn)
        return facts
    }

    /// What this node does about a charter that a peer names.
    func meeting(with charter: ConversationID) -> CharterMeeting {
        CharterMeeting(with: charter, holding: current?.charter?.id, code: current?.code)
    }

    /// Takes a charter as that of the workspace. Its events come later.
    mutating func adopt(_ charter: ConversationID, _ turn: inout Turn) -> [Fact] {
        guard var changed = current else {
            broken("a charter is adopted in a workspace")
            return []
        }
        changed.charter = Charter(id: charter)
        // From now on only the charter says who is excluded.
        changed.removed = []
        return change(to: changed, &turn)
    }

    /// Signs a change of the charter as its user said, who is an admin.
    ///
    /// - Parameters:
    ///   - peers: those that the change names; for the policy `admission`, those who are to stay members.
    ///   - meant: those whom the user named, as they were before.
    ///   - passedOver: those of whom the answer says that they have to be let in by name.
    mutating func change(
        _ change: CharterCommand,
        _ peers: [PeerID],
        about meant: [WorkspaceView.Meant],
        passingOver passedOver: [PeerID],
        _ links: Links,
        _ people: People,
        _ id: CommandID,
        _ turn: inout Turn
    ) -> [Fact] {
        guard var changed = current, var charter = changed.charter else {
            broken("a node signs a change only of a charter that it holds")
            return []
        }
        let before = charter
        var counts = true
        switch change {
        case .appoint: counts = charter.sign(.appoint, peers.filter { !before.isAdmin($0) }, turn)
        case .dismiss: counts = charter.sign(.dismiss, peers.filter { before.isAdmin($0) }, turn)
        case .exclude(let key):
            counts = charter.sign(.exclude, peers.filter { !before.isExcluded($0) }, turn)
            // If this admin can make no more keys, others make one: the exclusion matters more.
            var (rotated, rotation) = (changed, charter)
            if charter != before, counts, rotated.rotate(&rotation, to: key, isAutomatic: false, turn) {
                (changed, charter) = (rotated, rotation)
            }
        case .readmit: counts = charter.sign(.readmit, peers.filter { before.isExcluded($0) }, turn)
        case .admit: counts = charter.sign(.admit, peers.filter { !before.admitted.contains($0) }, turn)
        case .rotate(let key): counts = changed.rotate(&charter, to: key, isAutomatic: false, turn)
        case .invite(let secret, let uses, let until):
            guard let key = InvitationKey(secret, to: CharterPrefix(of: charter.id)) else {
                broken("every secret gives an invitation key")
                return []
            }
            let value = Charter.Invitation.value(uses: uses, until: until)
            counts = charter.sign(.policy, saying: .policy(key.policy, value), turn)
        case .endInvitation(let which):
            let meant = before.invitations(meant: which)
            counts = meant.allSatisfy { charter.sign(.policy, saying: .policy($0.policy, ""), turn) }
        case .policy(let name, let value, _):
            // Those who are members already stay so.
            if name == Charter.Admission.policy, before.admission == .open, Charter.Admission(saying: value) == .approve
            {
                let others = peers.filter { !before.isExcluded($0) && !before.admitted.contains($0) }
                counts = charter.sign(.admit, others, turn)
            }
            if counts, before.policies.first(where: { $0.name == name })?.value ?? "" != value {
                counts = charter.sign(.policy, saying: .policy(name, value), turn)
            }
        }
        guard counts else {
            turn.refuse(id, .workspace(.manyChanges))
            return []
        }
        var facts: [Fact] = []
        if charter != before {
            changed.charter = charter
            changed.sortKeys(at: turn.now.wall)
            facts = self.change(to: changed, &turn)
        }
        answer(id, about: meant, passingOver: passedOver, links, people, &turn)
        return facts
    }

    // Events of others.

    /// Takes events of the charter, whose signatures are verified.
    mutating func insert(_ events: [StoredEvent], _ turn: inout Turn) -> [Fact] {
        guard var changed = current, var charter = changed.charter else {
            broken("a node takes charter events only when it holds a charter")
            return []
        }
        let (before, new) = (charter.events.count, charter.insert(events))
        // Some that were held may have given way, even if nothing new is held.
        guard !new.isEmpty || charter.events.count != before else { return [] }
        if changed.charter?.title.isEmpty == true, charter.title.faultAsName == nil, !hasChosenName {
            changed.name = charter.title.withoutControlCharacters
        }
        changed.charter = charter
        changed.sortKeys(at: turn.now.wall)
        turn.batch.byteCount += new.reduce(0) { $0 + $1.byteCount }
        return change(to: changed, &turn)
    }

    // Keys that the excluded may have (charter.md, "Key in use").

    /// Whether an admin's node has to make another key.
    private func isExposed(_ own: PeerID) -> Bool {
        guard let current, let charter = current.charter, charter.isAdmin(own), let key = current.newest else {
            return false
        }
        return !charter.exposed(by: key.hash).isEmpty
    }

    /// Schedules another key if it is necessary: at once if no linked admin has a smaller ID, otherwise after a random
    /// delay, in which one of those may make it.
    mutating func considerRotation(_ links: Links, _ turn: inout Turn) {
        guard isExposed(turn.own.identity), let charter = current?.charter else {
            turn.deadlines[.rotation] = nil
            return
        }
        guard turn.deadlines[.rotation] == nil else { return }
        let delay = charter.delay(links, &turn)
        let earliest = rotatedAt.map { $0 + Limits.charterRotationMilliseconds } ?? turn.now.monotonic
        turn.deadlines[.rotation] = max(turn.now.monotonic + delay, earliest)
    }

    /// Makes another key if it is still necessary.
    mutating func rotateByItself(to secret: SecretBytes, _ turn: inout Turn) -> [Fact] {
        guard isExposed(turn.own.identity), var changed = current, var charter = changed.charter else { return [] }
        // If its share of rotations is used up, another admin has to do it.
        guard changed.rotate(&charter, to: WorkspaceKey(unnumbered: secret), isAutomatic: true, turn) else { return [] }
        rotates(at: turn.now.monotonic)
        changed.charter = charter
        changed.sortKeys(at: turn.now.wall)
        return change(to: changed, &turn)
    }

    // Views.

    func charterView(_ charter: Charter, of workspace: Workspace, _ own: PeerID, at wall: Int64) -> CharterView {
        let waiting = requests.peers.filter { charter.awaits($0) }
        return CharterView(
            id: charter.id,
            title: charter.title,
            admins: charter.admins,
            admission: charter.admission,
            policies: charter.policies.filter { !$0.name.isInvitationName },
            invitations: workspace.standingInvitations(at: wall),
            endedInvitations: workspace.endedInvitations(at: wall) + shownInVain(by: waiting, charter, at: wall),
            waiting: waiting,
            isMember: charter.isMember(own),
            isAdmin: charter.isAdmin(own),
            excludedBy: charter.excluder(of: own),
            ownInvitation: charter.awaits(own) ? workspace.ownInvitation(of: own, at: wall) : nil
        )
    }

    /// The invitations that admit nobody any more and that people who wait have shown.
    private func shownInVain(by waiting: [PeerID], _ charter: Charter, at wall: Int64) -> [EndedInvitation] {
        let prefix = CharterPrefix(of: charter.id)
        let over = charter.invitations.filter { invitation in
            // Only the proofs that name it are checked, up to the first that holds.
            !invitation.isOffered(at: wall)
                && waiting.contains { peer in
                    guard let proof = requests[peer]?.proof, proof.key == invitation.key else { return false }
                    return proof.isValid(for: peer, in: prefix)
                }
        }
        return over.map { EndedInvitation(invitation: $0, reason: $0.left == 0 ? .usedUp : .expired) }
    }

    /// The charters that peers name on their links and that are not held here, in the order of the peers' IDs.
    func metCharters(_ links: Links) -> [PeerCharterState] {
        var met: [PeerID: PeerCharterState] = [:]
        for link in links.values {
            guard let named = link.charter.named else { continue }
            switch meeting(with: named) {
            case .held, .named: break
            case .offered: met[link.peer] = PeerCharterState(id: named, peer: link.peer, isOffered: true)
            case .foreign: met[link.peer] = PeerCharterState(id: named, peer: link.peer, isOffered: false)
            }
        }
        return met.values.sorted { $0.peer < $1.peer }
    }
}

extension Workspace {
    /// Adds a key, and signs the rotation that names it.
    ///
    /// - Returns: whether the rotation counts.
    fileprivate mutating func rotate(
        _ charter: inout Charter,
        to key: WorkspaceKey,
        isAutomatic: Bool,
        _ turn: Turn
    ) -> Bool {
        let number = (charter.rotations.last?.number ?? 0) + 1
        keys.append(key)
        let details = WireCharterDetails.rotation(
            to: key,
            number: min(number, Limits.sequence),
            isAutomatic: isAutomatic
        )
        return charter.sign(.rotate, saying: details, turn)
    }
}
