import ParlanceControl
import ParlanceWords

// What the daemon tells.
extension Chat {
    mutating func happened(_ event: any ControlEvent) -> [ChatEffect] {
        switch event {
        case let event as MessageEvent: return added(event.message)
        case let event as NoteEvent: return added(event.message)
        case let event as ChangedEvent:
            openChanged(event.conversationID) { $0.changed(event.message) }
            return refresh(.conversations)
        case let event as WithdrawnEvent:
            openChanged(open?.info?.id) { $0.withdrawn(event.id) }
            return refresh(.conversations)
        case let event as StatusEvent:
            openChanged(event.conversation) { $0.changed(event) }
            return []
        // They tell less than the history: how far a message has come in all, and why it waits.
        case is ReachedEvent, is FailedEvent: return event.conversationID == open?.info?.id ? readAgain() : []
        case let event as PeerInfo:
            list.changed(event)
            return refresh(.conversations)
        case let event as PresenceEvent:
            list.changed(event)
            presenceChanged(event)
            return []
        case let event as TypingEvent:
            if event.conversation == open?.info?.id { open?.changed(event) }
            return []
        case let event as GroupInfo:
            if event.id == open?.info?.id { open?.group = event }
            return refresh(.conversations) + (event.id == open?.info?.id ? readAgain() : [])
        case is RequestEvent: return refresh(.requests) + refresh(.conversations) + refresh(.people)
        case is PreferenceInfo: return refresh(.conversations)
        default: return []
        }
    }

    private mutating func added(_ message: MessageInfo) -> [ChatEffect] {
        guard message.conversation == open?.info?.id else { return refresh(.conversations) }
        let isAway = scroll > 0
        openChanged(message.conversation) { open in
            open.added(message)
            if !isAway { open.shorten() }
            if isAway, open.firstNew == nil, !message.mine, message.note == nil { open.firstNew = message.id }
        }
        return refresh(.conversations)
    }

    private mutating func openChanged(_ conversation: String?, _ change: (inout OpenConversation) -> Void) {
        guard var changed = open, conversation == changed.info?.id else { return }
        change(&changed)
        open = changed
        rowsAreOld = true
        if let selected, changed.message(selected) == nil { self.selected = nil }
    }

    private mutating func presenceChanged(_ event: PresenceEvent) {
        if open?.info?.peer == event.peer { open?.info?.presence = event.presence }
        guard let members = open?.group?.members else { return }
        for index in members.indices where members[index].id == event.peer {
            open?.group?.members[index].presence = event.presence
            open?.group?.members[index].connected = event.presence != .offline
        }
    }

    // MARK: - Asking again

    /// Reads a list again: at once, or after the reply that is under way, which may be too old.
    mutating func refresh(_ kind: ListKind) -> [ChatEffect] {
        guard isConnected else { return [] }
        guard refreshing.insert(kind).inserted else {
            refreshAgain.insert(kind)
            return []
        }
        switch kind {
        case .conversations: return [.call(ConversationsOperation(), .conversations)]
        case .requests: return [.call(RequestsOperation(), .requests)]
        case .people: return [.call(PeersOperation(), .people)]
        }
    }

    /// A list has come, or was refused.
    mutating func refreshed(_ kind: ListKind) -> [ChatEffect] {
        refreshing.remove(kind)
        return refreshAgain.remove(kind) == nil ? [] : refresh(kind)
    }

    /// Reads the newest messages again, with their statuses and why they wait.
    mutating func readAgain() -> [ChatEffect] {
        guard isConnected, !isReadingAgain, let open else { return [] }
        isReadingAgain = true
        return [.call(HistoryOperation(who: open.who), .again(who: open.who))]
    }

    /// Asks for the newest messages of somebody, at least as many as are unread.
    func load(_ who: String) -> ChatEffect {
        let unread = list.conversations.first { ($0.peer ?? $0.id) == who }?.unread ?? 0
        let limit = min(HistoryOperation.maximumLimit, max(HistoryOperation.defaultLimit, unread + 10))
        return .call(HistoryOperation(who: who, limit: limit), .newest(who: who))
    }

    mutating func loadOlder() -> [ChatEffect] {
        guard isConnected, let open, open.hasMore, !open.isLoadingOlder, let first = open.messages.first else {
            return []
        }
        self.open?.isLoadingOlder = true
        return [
            .call(
                HistoryOperation(who: open.who, before: first.id, limit: HistoryOperation.maximumLimit / 2),
                .older(who: open.who)
            )
        ]
    }
}
