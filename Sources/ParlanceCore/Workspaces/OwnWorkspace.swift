import ParlanceRecords
import ParlanceSodium
import ParlanceWire

/// The workspace that this node is in, if any (workspaces.md).
///
/// - It owns the workspace with its keys and its charter, and which peers may be apart: nodes with another newest key.
/// - It takes commands, keys and events of the charter from peers, and how links end.
/// - It returns the fact `workspaceChanged`.
///
/// A change takes effect once it is durable: `useWorkspace` follows the batch.
struct OwnWorkspace: Equatable, Sendable {
    private(set) var current: Workspace?
    /// Whether members are accepted automatically.
    private var acceptsMembers: Bool
    /// The peers whose last links were opened with an old key and brought no newer one.
    private var apart: Set<PeerID> = []
    private var admissions = Admissions()
    /// Whether the user has named the workspace. Known until a restart; the charter comes with the first member.
    private(set) var hasChosenName = false
    /// What people were told of last, without who is connected.
    private(set) var told: WorkspaceView?
    /// Those who wait for an admin to let them in.
    private(set) var requests = AdmissionRequests()
    /// When this node last made a key by itself, in monotonic milliseconds.
    private(set) var rotatedAt: Int64?

    /// The members beyond the usual number who came in an hour of running time, which begins with the first.
    private struct Admissions: Equatable {
        var began: Int64?
        var accepted = 0
        /// Those for whom there was no room; of very many not all.
        var refused: Set<PeerID> = []
        /// The key with which they came.
        var key: Bytes32?

        func isOver(at now: Int64) -> Bool { began.map { now >= $0 + Limits.countedHourMilliseconds } ?? true }
    }

    init(_ workspace: Workspace?, acceptsMembers: Bool) {
        current = workspace
        self.acceptsMembers = acceptsMembers
    }

    /// Sets whether members are accepted automatically, for links that open from now on.
    mutating func setAcceptsMembers(_ acceptsMembers: Bool) {
        self.acceptsMembers = acceptsMembers
    }

    // Commands.

    /// - Parameters:
    ///   - code: what the invitation code says about the charter.
    ///   - invitation: what lets the user in, if an admin has to.
    ///   - isChosen: whether the user has chosen the name; if not, the workspace takes that of its charter.
    mutating func join(
        _ name: String,
        _ key: WorkspaceKey,
        _ code: CharterPrefix? = nil,
        _ invitation: InvitationKey? = nil,
        isChosen: Bool,
        _ links: Links,
        _ people: People,
        _ id: CommandID,
        _ turn: inout Turn
    ) -> [Fact] {
        if let fault = name.faultAsName {
            turn.refuse(id, .text(.workspaceName(fault)))
            return []
        }
        guard current == nil || current?.keys.contains(where: { $0.hash == key.hash }) == true else {
            turn.refuse(id, .workspace(.other(current?.shownName ?? "")))
            return []
        }
        var joined =
            current ?? Workspace(name: name.withoutControlCharacters, keys: [key], code: code, invitation)
        // Another code may say more than the one by which this node is here.
        if joined.charter == nil, joined.code == nil { joined.code = code }
        if let invitation, joined.mayHave(invitation.charter) { joined.invitation = invitation }
        let isInvited = current != nil && joined.invitation != current?.invitation
        if isChosen { joined.name = name.withoutControlCharacters }
        if current == nil || isChosen { hasChosenName = isChosen }
        var facts: [Fact] = []
        if joined != current { facts = change(to: joined, &turn) + (isInvited ? [.invited] : []) }
        answer(id, links, people, &turn)
        return facts
    }

    mutating func leave(_ links: Links, _ people: People, _ id: CommandID, _ turn: inout Turn) -> [Fact] {
        guard current != nil else {
            turn.refuse(id, .workspace(.none))
            return []
        }
        let facts = change(to: nil, &turn)
        told = nil
        answer(id, links, people, &turn)
        return facts
    }

    /// Why the user cannot make another key in a workspace without a charter; `nil` if nothing prevents it.
    var obstacleToRotation: Refusal.WorkspaceReason? {
        guard let current else { return Refusal.WorkspaceReason.none }
        return UnchartedWorkspace(current)?.obstacle
    }

    /// Makes another key in a workspace without a charter.
    mutating func rotate(
        to key: WorkspaceKey,
        without peers: [PeerID],
        _ links: Links,
        _ people: People,
        _ id: CommandID,
        _ turn: inout Turn
    ) -> [Fact] {
        guard var uncharted = current.flatMap({ UnchartedWorkspace($0) }) else {
            broken("only a workspace without a charter changes its key without an admin")
            return []
        }
        guard uncharted.rotate(to: key, without: peers, at: turn.now.wall) else {
            turn.refuse(id, .workspace(.manyRemoved))
            return []
        }
        let facts = change(to: uncharted.workspace, &turn)
        answer(id, links, people, &turn)
        return facts
    }

    func answer(
        _ id: CommandID,
        about meant: [WorkspaceView.Meant] = [],
        passingOver passedOver: [PeerID] = [],
        _ links: Links,
        _ people: People,
        _ turn: inout Turn
    ) {
        var view = view(links, people, at: turn.now.wall)
        view?.meant = meant
        view?.passedOver = passedOver
        turn.whenDurable(.answer(id, .workspace(view)))
    }

    func view(_ links: Links, _ people: People, at wall: Int64) -> WorkspaceView? {
        guard let current, let key = current.newest else { return nil }
        let rank = current.charter?.rank(of: key.hash) ?? 0
        let (members, linked) = (members(links, people), linked(links))
        var view = WorkspaceView(
            name: current.shownName,
            key: key,
            keyNumber: rank > 0 ? UInt64(rank) : key.number,
            code: current.charter.map { CharterPrefix(of: $0.id) } ?? current.code,
            members: members,
            connected: linked.intersection(members).sorted(),
            strangers: linked.subtracting(members).filter { isStranger($0, current) }.sorted(),
            removed: current.leftOut,
            charter: current.charter.map { charterView($0, of: current, people.own, at: wall) },
            met: metCharters(links)
        )
        view.withinComputer = Set(links.values.filter(\.isWithinComputer).map(\.peer)).intersection(linked)
        return view
    }

    /// The other members, as far as this node knows, in the order of their IDs: those whom an admin let in. Where the key
    /// suffices, they are those who are accepted here, and who are linked with a key of the workspace or have told members
    /// their addresses: somebody who is only accepted may never have been in the workspace.
    func members(_ links: Links, _ people: People) -> [PeerID] {
        guard let current else { return [] }
        if let charter = current.charter, charter.admission == .approve {
            return charter.admitted.filter { $0 != people.own }
        }
        return people.accepted.filter { peer in
            peer != people.own && !current.leavesOut(peer) && hasShownMembership(peer, links, people)
        }
    }

    /// Whether somebody accepted here has shown to be a member, or an admin let them in.
    func hasShownMembership(_ peer: PeerID, _ links: Links, _ people: People) -> Bool {
        current?.charter?.isAdmitted(peer) == true || people.hasToldAddresses(peer)
            || links.open(with: peer).contains(where: isOfWorkspace)
    }

    private func isOfWorkspace(_ link: Link) -> Bool {
        takes(link.workspaceTag) && !link.closing && link.helloReceived
    }

    /// Those who are linked with a key of the workspace.
    private func linked(_ links: Links) -> Set<PeerID> {
        Set(links.values.filter(isOfWorkspace).map(\.peer))
    }

    /// Whether somebody who is linked is no member and stands in no other list of the workspace.
    private func isStranger(_ peer: PeerID, _ workspace: Workspace) -> Bool {
        !workspace.leavesOut(peer) && requests[peer] == nil
    }

    mutating func changeRequests<T>(_ body: (inout AdmissionRequests) -> T) -> T { body(&requests) }

    /// Notes that this node makes a key by itself.
    mutating func rotates(at now: Int64) { rotatedAt = now }

    /// Notes what people are told of.
    ///
    /// - Returns: whether that is something else than they knew.
    mutating func tells(_ view: WorkspaceView?) -> Bool {
        var view = view
        view?.members = []
        view?.connected = []
        view?.strangers = []
        defer { told = view }
        return view != told
    }

    mutating func change(to workspace: Workspace?, _ turn: inout Turn) -> [Fact] {
        workspace?.check()
        current = workspace
        turn.batch.rows.workspace = workspace.map { .set($0) } ?? .left
        turn.whenDurable(.useWorkspace)
        schedule(&turn)
        return [.workspaceChanged]
    }

    /// Resets the workspace to what is on disk after a batch failed.
    mutating func takeBack(_ durable: Workspace?) {
        // A key that this node made by itself is not there, so that it has to make one still.
        if current != durable { rotatedAt = nil }
        current = durable
    }

    // Links.

    /// Whether a link was opened with a key of the workspace, or without a key if this node is in none.
    ///
    /// - Parameter tag: that of the key; `nil` for a link without one.
    func takes(_ tag: UInt32?) -> Bool {
        guard let current else { return tag == nil }
        return tag.map { current.key(of: $0) != nil } ?? false
    }

    private func isNewestKey(of link: Link) -> Bool { isNewestKey(link.workspaceTag) }

    private func isNewestKey(_ tag: UInt32?) -> Bool { current?.newest.map { $0.tag == tag } ?? false }

    /// Whether the peer is accepted as a member, provided that the user has not decided otherwise. An older key proves
    /// nothing by itself: identities that were left out have it, too. Neither does the newest, if an admin has to let members
    /// in, and nobody knows that before the charter has come.
    ///
    /// - Parameter tag: that of the key with which the peer came.
    func accepts(_ peer: PeerRecord, with tag: UInt32?) -> Bool {
        guard acceptsMembers, peer.isUndecided, let current, !current.awaitsCharter,
            let tag, current.key(of: tag) != nil
        else { return false }
        // Whom an admin let in by name may have come before a rotation.
        if current.charter?.isAdmitted(peer.id) == true { return true }
        // Somebody excluded may come back with the key as somebody else.
        guard isNewestKey(tag), let newest = current.newest, !current.isExposed(newest) else { return false }
        return current.charter?.isMember(peer.id) != false
    }

    /// Takes one more member that is accepted by itself, if there is room (workspaces.md, "Joining and leaving").
    ///
    /// - Parameter accepted: how many people are accepted already.
    mutating func admit(_ peer: PeerID, besides accepted: Int, at now: Int64) -> Bool {
        if accepted < Limits.membersAccepted { return true }
        if admissions.isOver(at: now) { admissions = Admissions(began: now) }
        guard admissions.accepted < Limits.membersAcceptedInHour else {
            if admissions.key != current?.newest?.hash {
                (admissions.key, admissions.refused) = (current?.newest?.hash, [])
            }
            if admissions.refused.count < Limits.membersAccepted { admissions.refused.insert(peer) }
            return false
        }
        admissions.accepted += 1
        return true
    }

    /// Those who came in this hour with the newest key and were not accepted.
    func unadmitted(at now: Int64) -> Set<PeerID> {
        admissions.isOver(at: now) || admissions.key != current?.newest?.hash ? [] : admissions.refused
    }

    /// Whether addresses are told on a link: only to accepted peers that are not left out, and only with the newest
    /// key.
    func tellsAddresses(on link: Link, _ people: People) -> Bool {
        isNewestKey(of: link) && link.helloReceived && !link.closing && people.isAccepted(link.peer)
            && !people.isRemoved(link.peer) && current?.charter?.isMember(link.peer) != false
    }

    // Keys of peers.

    /// Whether a peer may announce a key of this number, and that so many are left out. With a charter no rule depends on
    /// the number.
    func allows(number: UInt64, removed: Int) -> Bool {
        guard let current, removed <= Limits.workspaceRemoved else { return false }
        return UnchartedWorkspace(current)?.allows(number) ?? true
    }

    /// Takes the newest key of a peer, and whom the workspace left out. With a charter, takes a key only if a rotation
    /// that counts names it, and nobody is left out but by the charter.
    mutating func learn(_ key: WorkspaceKey, removed: [PeerID], own: PeerID, _ turn: inout Turn) -> [Fact] {
        guard var changed = current else {
            broken("a node learns a key only in a workspace")
            return []
        }
        if var uncharted = UnchartedWorkspace(changed) {
            let isNew = uncharted.learn(key, removed: removed, own: own, at: turn.now.wall)
            return isNew ? change(to: uncharted.workspace, &turn) : []
        }
        let isHeld = changed.keys.contains { $0.hash == key.hash }
        guard !isHeld, changed.charter?.rotation(to: key.hash) != nil else { return [] }
        // It may rank behind all that are kept.
        guard changed.insert(key, at: turn.now.wall) else { return [] }
        return change(to: changed, &turn)
    }

    /// Whether a peer may have a different newest key.
    func mayBePartitioned(from peer: PeerID) -> Bool { current != nil && apart.contains(peer) }

    /// Notes that a link with the peer serves conversations, so the keys agree.
    mutating func isTogether(with peer: PeerID) { apart.remove(peer) }

    /// Notes that the peer told no key of its own: it takes the one it was given, or it is apart.
    mutating func heardNoKey(of peer: PeerID) { apart.insert(peer) }

    /// Notes that the peer renews a link. If it was opened with the newest key here and the peer told no newer one, the
    /// peer does not accept this node.
    mutating func renewed(_ link: Link) {
        if !link.summaryReceived && !link.keyReceived && isNewestKey(of: link) { apart.insert(link.peer) }
    }

    /// Forgets whether the peer is apart.
    mutating func forget(_ peer: PeerID) { apart.remove(peer) }

    // Time.

    mutating func schedule(_ turn: inout Turn) {
        let times = current?.keys.compactMap(\.superseded) ?? []
        let next = times.map { $0 > turn.now.wall ? turn.now.wall : $0 + Limits.workspaceKeyKeptMilliseconds }.min()
        // The wall clock may be set meanwhile, so check at least once a day.
        turn.deadlines[.workspaceKeys] = next.map {
            turn.now.monotonic + min(max(0, $0 - turn.now.wall), Limits.workspaceKeyServesMilliseconds)
        }
    }

    mutating func keysDue(_ turn: inout Turn) -> [Fact] {
        guard var changed = current else { return [] }
        let isMended = changed.mendTimes(at: turn.now.wall)
        guard changed.prune(at: turn.now.wall) || isMended else {
            schedule(&turn)
            return []
        }
        return change(to: changed, &turn)
    }
}
