import ParlanceControl
import ParlanceCore
import ParlanceWire

// Notices that need no state of the hub.
extension EventHub {
    func workspaceChanged(_ view: WorkspaceView?, from before: WorkspaceView?) {
        let info = view.map { WorkspaceInfo($0, self) }
        let news = WorkspaceText.news(of: info, since: before.map { WorkspaceInfo($0, self) })
        publish(WorkspaceEvent(workspace: info, news: news))
    }

    /// Somebody by the name that is known here, otherwise by that which an admin of the workspace gave.
    func person(_ peer: PeerID, called label: String?) -> Person {
        var person = person(peer)
        if let label, person.displayName == peer.prefix { person.displayName = label }
        return person
    }

    func removed(_ ids: [EventID], from conversation: ConversationRecord) -> RemovedEvent {
        var event = RemovedEvent(
            conversation: conversation.id.text,
            title: title(of: conversation.id) ?? "",
            ids: ids.map(\.text)
        )
        if case .direct(let peer) = conversation.kind {
            event.title = name(of: peer)
            event.trust = trust(of: peer)
        }
        return event
    }
}
