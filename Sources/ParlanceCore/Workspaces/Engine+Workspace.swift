import ParlanceSodium
import ParlanceWire

// The workspace: joining, leaving, rotating its key, and who gets the newest (workspaces.md).
extension Engine {
    mutating func carryOut(_ command: WorkspaceCommand, _ id: CommandID) {
        switch command {
        case .show: turn.emit(.answer(id, .success(.workspace(workspaceView))))
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
            return turn.fail(id, .invalidName, "A workspace's name \(fault).", "Choose another name.")
        }
        guard workspace == nil || workspace?.keys.contains(where: { $0.hash == key.hash }) == true else {
            return turn.fail(
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
        guard newest.isNumbered else {
            return turn.fail(
                id,
                .notYet,
                "This node joined by a code, and no member has told it yet how often the key was changed.",
                "Try again when it is connected with a member who accepts it. If none is left: leave, and make a new workspace."
            )
        }
        for name in who {
            switch resolve(name) {
            case .success(let peer): rotated.removed.insert(peer)
            case .failure(let error): return turn.emit(.answer(id, .failure(error)))
            }
        }
        guard rotated.removed.count <= Limits.workspaceRemoved else {
            return turn.fail(
                id,
                .invalidValue,
                "At most \(Limits.workspaceRemoved) people can be left out of a workspace.",
                "Create a new workspace, and invite those who belong to it."
            )
        }
        let number = newest.number < Limits.sequence ? newest.number + 1 : newest.number
        _ = rotated.insert(WorkspaceKey(secret: key.secret, number: number), at: turn.now.wall)
        change(to: rotated)
        answerWithWorkspace(id)
    }

    private mutating func failWithoutWorkspace(_ id: CommandID) {
        turn.fail(
            id,
            .noWorkspace,
            "This node is in no workspace.",
            "Make one: parlance workspace create NAME. Or join one: parlance workspace join CODE."
        )
    }

    private mutating func answerWithWorkspace(_ id: CommandID) {
        turn.whenDurable(.answer(id, .workspace(workspaceView)))
    }

    /// The keys serve once they are durable.
    mutating func change(to workspace: Workspace?) {
        self.workspace = workspace
        if workspace == nil { dropAddresses() }
        signOwnAddresses()
        turn.batch.workspace = workspace.map { .set($0) } ?? .left
        turn.whenDurable(.useWorkspace)
        scheduleWorkspaceKeys()
    }

    /// The workspace is durable as it is now: the links follow.
    mutating func useWorkspace() {
        turn.emit(.useKeys(stored.workspace?.keys ?? []))
        for id in links.keys.sorted() {
            guard let link = links[id], !link.closing else { continue }
            if !isTaken(link) {
                // Whoever is of another network is left; those of the new one are dialled.
                close(id, .unspecified, because: .otherWorkspace)
            } else if isRemoved(link.peer) {
                refuse(id)
            } else {
                _ = handOnKey(on: id)
            }
        }
        dialing.workspaceChanged(links, people, &turn)
    }

    // Links.

    /// Whether a link was opened in a way that still holds: with a key of the workspace, or openly if there is none.
    func isTaken(_ link: Link) -> Bool {
        guard let workspace else { return link.workspaceTag == nil }
        return link.workspaceTag.map { workspace.key(of: $0) != nil } ?? false
    }

    func isRemoved(_ peer: PeerID) -> Bool { workspace?.removed.contains(peer) == true }

    /// Members are accepted by themselves, unless a person has decided otherwise. A key that is not the newest any more
    /// proves nothing: somebody who was left out has it.
    mutating func acceptMember(on link: Link) {
        guard acceptsMembers, let workspace, link.workspaceTag == workspace.newest?.tag,
            let record = peers[link.peer]?.record, record.trust == .unknown, record.declined == nil
        else { return }
        trust(link.peer)
        if record.request != nil { answerRequest(of: link.peer) } else { turn.whenDurable(.openContact(link.peer)) }
    }

    // Time.

    mutating func scheduleWorkspaceKeys() {
        let times = workspace?.keys.compactMap(\.superseded) ?? []
        let next = times.map { $0 > turn.now.wall ? turn.now.wall : $0 + Limits.workspaceKeyKeptMilliseconds }.min()
        // The wall clock may be set meanwhile, so it is looked at once a day.
        turn.deadlines[.workspaceKeys] = next.map {
            turn.now.monotonic + min(max(0, $0 - turn.now.wall), Limits.workspaceKeyServesMilliseconds)
        }
    }

    mutating func workspaceKeysDue() {
        guard var changed = workspace else { return }
        let isMended = changed.mendTimes(at: turn.now.wall)
        guard changed.prune(at: turn.now.wall) || isMended else { return scheduleWorkspaceKeys() }
        change(to: changed)
    }
}
