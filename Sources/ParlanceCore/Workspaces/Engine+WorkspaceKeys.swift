import Foundation
import ParlanceSodium
import ParlanceWire

// Handing on the newest key of the workspace (workspaces.md, "Rotation").
extension Engine {
    /// Tells an accepted peer the newest key that is durable, its number, and who was left out, if the peer may lack any of this.
    /// The link shows only that the peer holds the key that the link was opened with. It does not show whether the peer knows
    /// the number of that key: an invitation code has none.
    ///
    /// - Returns: whether the link serves for anything else. One with a key that was superseded a day ago does not: both sides
    ///   hand on their keys, since each may have made one while they were apart, and then it ends.
    mutating func handOnKey(on id: LinkID) -> Bool {
        guard let workspace = stored.workspace, let newest = workspace.newest, let link = links[id],
            let tag = link.workspaceTag, let used = workspace.key(of: tag)
        else { return true }
        let shown = WorkspaceKey(unnumbered: used.secret)
        let mayLackIt =
            max(link.toldKey ?? shown, shown) < newest || !workspace.removed.isSubset(of: link.toldRemoved)
        let isTold = mayLackIt && newest.isNumbered && peers[link.peer]?.isAccepted == true
        if isTold {
            var frame = WireWorkspaceKey()
            frame.key = newest.secret.withBytes { Data($0) }
            frame.number = newest.number
            frame.removed = workspace.removed.sorted().map { Data($0.bytes) }
            links[id]?.toldKey = newest
            links[id]?.toldRemoved.formUnion(workspace.removed)
            send(.workspaceKey(frame), on: id)
        }
        guard !used.serves(at: turn.now.wall) else { return true }
        guard isTold else {
            close(id, .renewed)
            return false
        }
        links[id]?.stage = .handingKeys
        links[id]?.wasForKeys = true
        dropTimers(of: id)
        turn.deadlines[.keys(id)] = turn.now.monotonic + Limits.workspaceKeyExchangeMilliseconds
        return false
    }

    /// On a link that serves for handing keys only.
    mutating func keysReceived(_ frame: WireFrame, on id: LinkID) {
        switch frame.kind {
        case .bye(let bye): byeReceived(bye, on: id)
        case .workspaceKey(let key):
            workspaceKeyReceived(key, on: id)
            close(id, .renewed)
        default: break
        }
    }

    /// The peer has told no key of its own: it has the one that it was given now, or it is apart.
    mutating func keysDue(_ id: LinkID) {
        guard let link = links[id] else { return }
        peers[link.peer]?.mayBeApart = true
        close(id, .renewed)
    }

    /// The peer ends a link that was opened with the newest key here, and has told no newer one: it does not accept this node.
    mutating func noteRenewal(_ bye: WireBye, on link: Link) {
        guard bye.reason == .renewed, !link.summaryReceived, !link.keyReceived,
            let newest = workspace?.newest, link.workspaceTag == newest.tag
        else { return }
        peers[link.peer]?.mayBeApart = true
    }

    mutating func workspaceKeyReceived(_ frame: WireWorkspaceKey, on id: LinkID) {
        // Taken from whom one trusts, and only within the workspace.
        guard let link = links[id], link.workspaceTag != nil, peers[link.peer]?.isAccepted == true,
            var changed = workspace, let newest = changed.newest
        else { return }
        let removed = frame.removed.compactMap { PeerID($0) }
        guard frame.key.count == 32, removed.count == frame.removed.count,
            removed.count <= Limits.workspaceRemoved, frame.number > 0,
            frame.number <= newest.number + Limits.workspaceRotations
        else { return breakLink(id, .workspaceKeyFields) }
        let key = WorkspaceKey(secret: SecretBytes(copying: [UInt8](frame.key)), number: frame.number)
        links[id]?.toldKey = max(link.toldKey ?? key, key)
        links[id]?.keyReceived = true
        let isNew = changed.insert(key, at: turn.now.wall)
        // Those who are left out already stay so, whomever else the peer names.
        let others = Set(removed).subtracting(changed.removed).subtracting([identity]).sorted()
        changed.removed.formUnion(others.prefix(max(0, Limits.workspaceRemoved - changed.removed.count)))
        links[id]?.toldRemoved = link.toldRemoved.union(removed).intersection(changed.removed)
        guard isNew || changed.removed != workspace?.removed else { return }
        change(to: changed)
    }
}
