import ParlanceWire

// Who waits for an admin of the workspace to let them in (charter.md, "Admission", "Invitations").
extension Engine {
    /// Notes that somebody with a key of the workspace waits for an admin, if that is so.
    mutating func waits(_ link: Link) {
        guard link.workspaceTag != nil, workspace.current?.charter?.awaits(link.peer) == true else { return }
        if let dropped = workspace.waits(link.peer, on: link, link.proof, &turn) { strangerLeft(dropped) }
        workspace.considerAdmission(links, &turn)
        tellWorkspace()
    }

    /// Notes those who wait by what has come of the charter since they said hello.
    mutating func noteWaiting() {
        for id in links.keys.sorted() {
            guard let link = links[id], link.helloReceived, !link.closing, workspace.requests[link.peer] == nil else {
                continue
            }
            waits(link)
        }
    }

    /// Lets those in who have shown an invitation.
    mutating func admissionDue() { route(workspace.admitInvited(&turn)) }

    /// Those who have not come for a day wait no more.
    mutating func requestsDue() {
        for peer in workspace.requestsDue(links, &turn) { strangerLeft(peer) }
        tellWorkspace()
    }

    /// Accepts those whom an admin has let in since their links ended, so that they are dialled; whoever was excluded is
    /// forgotten as any stranger.
    mutating func welcomeAnswered() {
        for (peer, request) in workspace.takeAnswered(&turn) {
            acceptMember(peer, with: request.tag)
            strangerLeft(peer)
        }
    }

    /// Greets members anew, since the user has an invitation now.
    mutating func showInvitation() {
        guard workspace.current?.proof(of: identity) != nil else { return }
        for id in links.keys.sorted() where links[id]?.workspaceTag != nil { close(id, .unspecified) }
    }
}
