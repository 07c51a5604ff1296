import Foundation
import ParlanceSodium
import ParlanceWire

// What the workspace needs of several rooms: its commands, its links, handing on its newest key (workspaces.md).
extension Engine {
    mutating func carryOut(_ command: WorkspaceCommand, _ id: CommandID) {
        switch command {
        case .show: turn.emit(.answer(id, .success(.workspace(workspace.view(links)))))
        case .join(let name, let key): route(workspace.join(name, key, links, id, &turn))
        case .leave: route(workspace.leave(links, id, &turn))
        case .rotate(let key, let who): rotate(to: key, without: who, id)
        }
    }

    private mutating func rotate(to key: WorkspaceKey, without who: [String], _ id: CommandID) {
        guard workspace.canRotate(id, &turn) else { return }
        var leftOut: [PeerID] = []
        for name in who {
            switch resolve(name) {
            case .success(let peer): leftOut.append(peer)
            case .failure(let error): return turn.refuse(id, error)
            }
        }
        route(workspace.rotate(to: key, without: leftOut, links, id, &turn))
    }

    /// The workspace is durable as it is now: the links follow.
    mutating func useWorkspace() {
        turn.emit(.useKeys(stored.workspace?.keys ?? []))
        for id in links.keys.sorted() {
            guard let link = links[id], !link.closing else { continue }
            if !workspace.takes(link) {
                // Peers of another network are left; those of the new one are dialled.
                close(id, .unspecified, because: .otherWorkspace)
            } else if isRemoved(link.peer) {
                refuse(id)
            } else {
                _ = handOnKey(on: id)
            }
        }
        dialing.workspaceChanged(links, people, &turn)
    }

    /// Members are accepted by themselves, unless a person has decided otherwise.
    mutating func acceptMember(on link: Link) {
        guard let record = contacts[link.peer], workspace.accepts(record, on: link) else { return }
        trust(link.peer)
        if record.request != nil { answerRequest(of: link.peer) } else { turn.whenDurable(.openContact(link.peer)) }
    }

    // Handing on the newest key ("Rotation").

    /// Tells an accepted peer the newest key that is durable, its number, and who was left out, if the peer may lack any of this.
    ///
    /// - Returns: whether the link serves for anything else. One with a key that was superseded a day ago does not: both sides
    ///   hand on their keys, since each may have made one while they were apart, and then it ends.
    mutating func handOnKey(on id: LinkID) -> Bool {
        guard let workspace = stored.workspace, let link = links[id], let newest = workspace.newest,
            let handover = workspace.handover(on: link, isAccepted: isAccepted(link.peer), at: turn.now.wall)
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
        guard handover.isTold else {
            close(id, .renewed)
            return false
        }
        links.handKeys(on: id, &turn)
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

    mutating func keysDue(_ id: LinkID) {
        guard let link = links[id] else { return }
        workspace.heardNoKey(of: link.peer)
        close(id, .renewed)
    }

    mutating func workspaceKeyReceived(_ frame: WireWorkspaceKey, on id: LinkID) {
        // Keys are taken from accepted peers only, and only within the workspace.
        guard let link = links[id], link.workspaceTag != nil, isAccepted(link.peer),
            workspace.current?.newest != nil
        else { return }
        let removed = frame.removed.compactMap { PeerID($0) }
        guard frame.key.count == 32, removed.count == frame.removed.count,
            workspace.allows(number: frame.number, removed: removed.count)
        else { return breakLink(id, .workspaceKeyFields) }
        let key = WorkspaceKey(secret: SecretBytes(copying: [UInt8](frame.key)), number: frame.number)
        let facts = workspace.learn(key, removed: removed, own: identity, &turn)
        let known = workspace.current?.removed ?? []
        links.change(id) { $0.heardKey(key, removed: removed, known: known) }
        route(facts)
    }
}
