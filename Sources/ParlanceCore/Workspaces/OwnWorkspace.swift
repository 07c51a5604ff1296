import ParlanceSodium
import ParlanceWire

/// The workspace that this node is in, if it is in one (workspaces.md).
///
/// - It owns the workspace with its keys, and knows which peers may be apart: nodes with another newest key.
/// - It is told what people command, which keys peers hand on, and how links end.
/// - It returns the fact `workspaceChanged`.
///
/// A change serves once it is durable: `useWorkspace` follows the batch.
struct OwnWorkspace: Equatable, Sendable {
    private(set) var current: Workspace?
    /// Whether members are accepted by themselves.
    private let acceptsMembers: Bool
    /// The last links with them were opened with an old key and brought no newer one.
    private var apart: Set<PeerID> = []

    init(_ workspace: Workspace?, acceptsMembers: Bool) {
        current = workspace
        self.acceptsMembers = acceptsMembers
    }

    // What people tell their node.

    mutating func join(
        _ name: String,
        _ key: WorkspaceKey,
        _ links: Links,
        _ id: CommandID,
        _ turn: inout Turn
    ) -> [Fact] {
        if let fault = name.faultAsName {
            turn.refuse(id, .text(.workspaceName(fault)))
            return []
        }
        guard current == nil || current?.keys.contains(where: { $0.hash == key.hash }) == true else {
            turn.refuse(id, .workspace(.other(current?.name ?? "")))
            return []
        }
        var facts: [Fact] = []
        if current == nil {
            facts = change(to: Workspace(name: name.withoutControlCharacters, keys: [key]), &turn)
        }
        answer(id, links, &turn)
        return facts
    }

    mutating func leave(_ links: Links, _ id: CommandID, _ turn: inout Turn) -> [Fact] {
        guard current != nil else {
            turn.refuse(id, .workspace(.none))
            return []
        }
        let facts = change(to: nil, &turn)
        answer(id, links, &turn)
        return facts
    }

    /// Whether the key can be rotated now; else the command is answered with why not.
    func canRotate(_ id: CommandID, _ turn: inout Turn) -> Bool {
        guard let newest = current?.newest else {
            turn.refuse(id, .workspace(.none))
            return false
        }
        guard newest.isNumbered else {
            turn.refuse(id, .workspace(.unnumbered))
            return false
        }
        return true
    }

    mutating func rotate(
        to key: WorkspaceKey,
        without peers: [PeerID],
        _ links: Links,
        _ id: CommandID,
        _ turn: inout Turn
    ) -> [Fact] {
        guard var rotated = current, let newest = rotated.newest else { return [] }
        rotated.removed.formUnion(peers)
        guard rotated.removed.count <= Limits.workspaceRemoved else {
            turn.refuse(id, .workspace(.manyRemoved))
            return []
        }
        let number = newest.number < Limits.sequence ? newest.number + 1 : newest.number
        _ = rotated.insert(WorkspaceKey(secret: key.secret, number: number), at: turn.now.wall)
        let facts = change(to: rotated, &turn)
        answer(id, links, &turn)
        return facts
    }

    private func answer(_ id: CommandID, _ links: Links, _ turn: inout Turn) {
        turn.whenDurable(.answer(id, .workspace(view(links))))
    }

    func view(_ links: Links) -> WorkspaceView? {
        guard let current, let key = current.newest else { return nil }
        let connected = Set(links.values.filter { !$0.closing && $0.helloReceived }.map(\.peer)).sorted()
        return WorkspaceView(name: current.name, key: key, connected: connected, removed: current.removed.sorted())
    }

    private mutating func change(to workspace: Workspace?, _ turn: inout Turn) -> [Fact] {
        current = workspace
        turn.batch.rows.workspace = workspace.map { .set($0) } ?? .left
        turn.whenDurable(.useWorkspace)
        schedule(&turn)
        return [.workspaceChanged]
    }

    /// A batch failed: the workspace is again as it is on disk.
    mutating func takeBack(_ durable: Workspace?) {
        current = durable
    }

    // Links.

    /// Whether a link was opened with a key of the workspace, or openly if this node is in none.
    func takes(_ link: Link) -> Bool {
        guard let current else { return link.workspaceTag == nil }
        return link.workspaceTag.map { current.key(of: $0) != nil } ?? false
    }

    private func isNewestKey(of link: Link) -> Bool {
        guard let newest = current?.newest else { return false }
        return link.workspaceTag == newest.tag
    }

    /// Whether the peer is accepted as a member, since no person has decided otherwise. A key that is not the newest any more
    /// proves nothing: somebody who was left out has it.
    func accepts(_ peer: PeerRecord, on link: Link) -> Bool {
        acceptsMembers && isNewestKey(of: link) && peer.trust == .unknown && peer.declined == nil
    }

    /// Whether addresses go over a link: between members that accept each other, and only with the newest key.
    func tellsAddresses(on link: Link, _ people: People) -> Bool {
        isNewestKey(of: link) && link.helloReceived && !link.closing && people.isAccepted(link.peer)
            && !people.isRemoved(link.peer)
    }

    // Keys of peers.

    /// Whether a peer may name this key: it is not further ahead than there can be rotations.
    func allows(number: UInt64, removed: Int) -> Bool {
        guard let newest = current?.newest else { return false }
        return removed <= Limits.workspaceRemoved && number > 0 && number <= newest.number + Limits.workspaceRotations
    }

    /// A peer has told its newest key, and whom the workspace left out.
    mutating func learn(_ key: WorkspaceKey, removed: [PeerID], own: PeerID, _ turn: inout Turn) -> [Fact] {
        guard var changed = current else { return [] }
        let isNew = changed.insert(key, at: turn.now.wall)
        // Identities that are left out already stay so, whichever others the peer names.
        let others = Set(removed).subtracting(changed.removed).subtracting([own]).sorted()
        changed.removed.formUnion(others.prefix(max(0, Limits.workspaceRemoved - changed.removed.count)))
        guard isNew || changed.removed != current?.removed else { return [] }
        return change(to: changed, &turn)
    }

    /// Whether the two may have different newest keys.
    func mayBeApart(from peer: PeerID) -> Bool { current != nil && apart.contains(peer) }

    /// A link with the peer serves for conversations.
    mutating func isTogether(with peer: PeerID) { apart.remove(peer) }

    /// The peer has told no key of its own: it has the one that it was given now, or it is apart.
    mutating func heardNoKey(of peer: PeerID) { apart.insert(peer) }

    /// The peer renews a link. If that was opened with the newest key here, and the peer has told no newer one, it does not accept
    /// this node.
    mutating func renewed(_ link: Link) {
        if !link.summaryReceived && !link.keyReceived && isNewestKey(of: link) { apart.insert(link.peer) }
    }

    /// Nothing is known of the peer any more.
    mutating func forget(_ peer: PeerID) { apart.remove(peer) }

    // Time.

    mutating func schedule(_ turn: inout Turn) {
        let times = current?.keys.compactMap(\.superseded) ?? []
        let next = times.map { $0 > turn.now.wall ? turn.now.wall : $0 + Limits.workspaceKeyKeptMilliseconds }.min()
        // The wall clock may be set meanwhile, so it is looked at once a day.
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
