import ParlanceControl
import ParlanceCore
import ParlanceRecords
import ParlanceTexts
import ParlanceWire
import ParlanceWords

// Notices that need no state of the hub.
extension EventHub {
    func workspaceChanged(_ view: WorkspaceView?, from before: WorkspaceView?) {
        let info = view.map { WorkspaceInfo($0, self) }
        let news = WorkspaceText.news(of: info, since: before.map { WorkspaceInfo($0, self) })
        publish(WorkspaceEvent(workspace: info, news: news))
    }

    /// The event is the one place where its author learns of it without asking, so it has the status and the reason.
    func voided(_ message: ShownMessage) -> ChangedEvent {
        var info = MessageTeller(hub: self).info(message)
        info.setStatus(.failed, because: .countsForNobody)
        return ChangedEvent(info)
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
