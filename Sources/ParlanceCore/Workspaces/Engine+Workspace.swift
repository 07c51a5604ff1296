import Foundation
import ParlanceSodium
import ParlanceWire

// The workspace: joining, leaving, rotating its key, and who gets the newest (workspaces.md).
extension Engine {
    mutating func carryOut(_ command: WorkspaceCommand, _ id: CommandID) {
        switch command {
        case .show: emit(.answer(id, .success(.workspace(workspaceView))))
        case .join(let name, let key): join(name, key, id)
        case .leave: leaveWorkspace(id)
        case .rotate(let key, let who): rotate(to: key, without: who, id)
        }
    }

    private var workspaceView: WorkspaceView? {
        guard let workspace, let key = workspace.newest else { return nil }
        let connected = Set(links.values.filter { !$0.closing && $0.helloReceived }.map(\.peer)).sorted()
        return WorkspaceView(
            name: workspace.name,
            key: key,
            connected: connected,
            removed: workspace.removed.sorted()
        )
    }

    // What people tell their node.

    private mutating func join(_ name: String, _ key: WorkspaceKey, _ id: CommandID) {
        if let fault = name.faultAsName {
            return fail(id, .invalidName, "A workspace's name \(fault).", "Choose another name.")
        }
        guard workspace == nil || workspace?.keys.contains(where: { $0.hash == key.hash }) == true else {
            return fail(
                id,
                .otherWorkspace,
                "This node is in the workspace \(workspace?.name ?? "") already.",
                "Leave it first: parlance workspace leave. A second one needs a node of its own: --profile NAME."
            )
        }
        if workspace == nil { change(to: Workspace(name: name.withoutControlCharacters, keys: [key])) }
        answerWithWorkspace(id)
    }

    private mutating func leaveWorkspace(_ id: CommandID) {
        guard workspace != nil else { return failWithoutWorkspace(id) }
        change(to: nil)
        answerWithWorkspace(id)
    }

    private mutating func rotate(to key: WorkspaceKey, without who: [String], _ id: CommandID) {
        guard var rotated = workspace, let newest = rotated.newest else { return failWithoutWorkspace(id) }
        for name in who {
            switch resolve(name) {
            case .success(let peer): rotated.removed.insert(peer)
            case .failure(let error): return emit(.answer(id, .failure(error)))
            }
        }
        guard rotated.removed.count <= Limits.workspaceRemoved else {
            return fail(
                id,
                .invalidValue,
                "At most \(Limits.workspaceRemoved) people can be left out of a workspace.",
                "Create a new workspace, and invite those who belong to it."
            )
        }
        let number = newest.number < Limits.sequence ? newest.number + 1 : newest.number
        _ = rotated.insert(WorkspaceKey(secret: key.secret, number: number), at: now.wall)
        change(to: rotated)
        answerWithWorkspace(id)
    }

    private mutating func failWithoutWorkspace(_ id: CommandID) {
        fail(
            id,
            .noWorkspace,
            "This node is in no workspace.",
            "Make one: parlance workspace create NAME. Or join one: parlance workspace join CODE."
        )
    }

    private mutating func answerWithWorkspace(_ id: CommandID) {
        whenDurable(.answer(id, .workspace(workspaceView)))
    }

    /// The keys serve once they are durable.
    private mutating func change(to workspace: Workspace?) {
        self.workspace = workspace
        if workspace == nil { dropAddresses() }
        signOwnAddresses()
        collecting.workspace = workspace.map { .set($0) } ?? .left
        whenDurable(.useWorkspace)
        scheduleWorkspaceKeys()
    }

    /// The workspace is durable as it is now: the links follow.
    mutating func useWorkspace() {
        emit(.useKeys(workspace?.keys ?? []))
        for id in links.keys.sorted() {
            guard let link = links[id], !link.closing else { continue }
            if !isTaken(link) {
                // Whoever is of another network is left; those of the new one are dialled.
                close(id, .unspecified)
            } else if isRemoved(link.peer) {
                refuse(id)
            } else {
                _ = handOnKey(on: id)
            }
        }
        for key in dialing.targets.keys { dialing.targets[key]?.nextTry = now.monotonic }
        scheduleDial()
    }

    // Links.

    /// Whether a link was opened in a way that still holds: with a key of the workspace, or openly if there is none.
    func isTaken(_ link: Link) -> Bool {
        guard let workspace else { return link.workspaceTag == nil }
        return link.workspaceTag.map { workspace.key(of: $0) != nil } ?? false
    }

    func isRemoved(_ peer: PeerID) -> Bool { workspace?.removed.contains(peer) == true }

    /// Gives the newest key to whoever is accepted and may lack it.
    ///
    /// - Returns: whether the link serves for anything else. One with a key that was superseded a day ago does not.
    mutating func handOnKey(on id: LinkID) -> Bool {
        guard let workspace, let newest = workspace.newest, let link = links[id], let tag = link.workspaceTag,
            let used = workspace.key(of: tag)
        else { return true }
        let told = max(link.toldKey ?? used, used)
        if told < newest && peers[link.peer]?.isAccepted == true {
            var frame = WireWorkspaceKey()
            frame.key = newest.secret.withBytes { Data($0) }
            frame.number = newest.number
            frame.removed = workspace.removed.sorted().map { Data($0.bytes) }
            links[id]?.toldKey = newest
            send(.workspaceKey(frame), on: id)
        }
        guard !used.serves(at: now.wall) else { return true }
        close(id, .renewed)
        return false
    }

    /// Members are accepted by themselves, unless a person has decided otherwise. A key that is not the newest any more
    /// proves nothing: somebody who was left out has it.
    mutating func acceptMember(on link: Link) {
        guard acceptsMembers, let workspace, link.workspaceTag == workspace.newest?.tag,
            let record = peers[link.peer]?.record, record.trust == .unknown, record.declined == nil
        else { return }
        trust(link.peer)
        if record.request != nil { answerRequest(of: link.peer) }
    }

    mutating func workspaceKeyReceived(_ frame: WireWorkspaceKey, on id: LinkID) {
        // Taken from whom one trusts, and only within the workspace.
        guard let link = links[id], link.workspaceTag != nil, peers[link.peer]?.isAccepted == true,
            var changed = workspace, let newest = changed.newest
        else { return }
        let removed = frame.removed.compactMap { PeerID($0) }
        guard frame.key.count == 32, removed.count == frame.removed.count,
            removed.count <= Limits.workspaceRemoved, frame.number <= newest.number + Limits.workspaceRotations
        else { return breakLink(id, .workspaceKeyFields) }
        let key = WorkspaceKey(secret: SecretBytes(copying: [UInt8](frame.key)), number: frame.number)
        links[id]?.toldKey = max(link.toldKey ?? key, key)
        let isNew = changed.insert(key, at: now.wall)
        let all = changed.removed.union(removed.filter { $0 != identity })
        changed.removed = Set(all.sorted().prefix(Limits.workspaceRemoved))
        guard isNew || changed.removed != workspace?.removed else { return }
        change(to: changed)
    }

    // Time.

    mutating func scheduleWorkspaceKeys() {
        let next = workspace?.keys.compactMap(\.superseded).min().map { $0 + Limits.workspaceKeyKeptMilliseconds }
        deadlines[.workspaceKeys] = next.map { now.monotonic + max(0, $0 - now.wall) }
    }

    mutating func workspaceKeysDue() {
        guard var pruned = workspace, pruned.prune(at: now.wall) else { return scheduleWorkspaceKeys() }
        change(to: pruned)
    }
}
