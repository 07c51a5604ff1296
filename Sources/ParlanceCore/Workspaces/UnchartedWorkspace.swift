import ParlanceWire

/// The rules of a workspace without a charter (workspaces.md, "Rotation"): there are no admins, whoever has the key may make
/// the next one, keys count by their numbers, and whoever was left out of a rotation stays left out.
struct UnchartedWorkspace {
    private(set) var workspace: Workspace

    /// - Returns: `nil` if the workspace has a charter.
    init?(_ workspace: Workspace) {
        guard workspace.charter == nil else { return nil }
        self.workspace = workspace
    }

    /// Why the user cannot make another key now; `nil` if nothing prevents it.
    var obstacle: Refusal.WorkspaceReason? { workspace.newest?.isNumbered == true ? nil : .unnumbered }

    /// Makes another key, which all get but those who are left out.
    ///
    /// - Returns: whether there was room for them among those who are left out.
    mutating func rotate(to key: WorkspaceKey, without peers: [PeerID], at wall: Int64) -> Bool {
        let removed = workspace.removed.union(peers)
        guard let newest = workspace.newest, removed.count <= Limits.workspaceRemoved else { return false }
        workspace.removed = removed
        let number = newest.number < Limits.sequence ? newest.number + 1 : newest.number
        _ = workspace.insert(WorkspaceKey(secret: key.secret, number: number), at: wall)
        return true
    }

    /// Whether a peer may announce a key of this number: the number must not exceed the possible number of rotations.
    func allows(_ number: UInt64) -> Bool {
        guard let newest = workspace.newest else { return false }
        return number > 0 && number <= newest.number + Limits.workspaceRotations
    }

    /// Takes the newest key of a peer, and whom the workspace left out.
    ///
    /// - Returns: whether any of it is new.
    mutating func learn(_ key: WorkspaceKey, removed: [PeerID], own: PeerID, at wall: Int64) -> Bool {
        // Whoever joined by a code that names a charter takes no key, and leaves out nobody, before it has come.
        guard workspace.code == nil else { return false }
        let before = workspace.removed
        let isNew = workspace.insert(key, at: wall)
        // Identities that are left out already stay so, whatever the peer names.
        let others = Set(removed).subtracting(before).subtracting([own]).sorted()
        workspace.removed.formUnion(others.prefix(max(0, Limits.workspaceRemoved - before.count)))
        return isNew || workspace.removed != before
    }
}
