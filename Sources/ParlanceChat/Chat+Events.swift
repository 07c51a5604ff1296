import ParlanceControl
import ParlanceWords

// What the daemon tells.
extension Chat {
    mutating func happened(_ event: any ControlEvent) -> [ChatEffect] {
        switch event {
        case let event as MessageEvent: return added(event.message)
        case let event as NoteEvent: return added(event.message)
        case let event as ChangedEvent:
            search.changed(event.message)
            if isOpen(event.conversationID) {
                open?.changed(event.message)
                history.changed()
            }
            return refresh(.conversations) + changedInAssistant(event.message)
        case let event as AnswerEvent: assistant.wrote(event)
        case let event as WithdrawnEvent: return gone([event.id])
        case let event as RemovedEvent: return gone(event.ids)
        case let event as StatusEvent:
            if isOpen(event.conversation) { open?.changed(event) }
            history.changed()
        case let event as ReachedEvent: if isOpen(event.conversation) { open?.changed(event) }
        case let event as FailedEvent:
            if isOpen(event.conversation) { readAgain { ($0.sequence ?? 0) <= event.sequence } }
        case let event as PeerInfo:
            list.changed(event)
            readWaitingAgain()
            // Somebody who has come may be the end of a problem.
            return refresh(.conversations) + (list.problems.isEmpty ? [] : refresh(.people))
        case let event as PresenceEvent:
            list.changed(event)
            presenceChanged(event)
            readWaitingAgain()
        case let event as TypingEvent: if isOpen(event.conversation) { open?.changed(event) }
        case let event as GroupInfo:
            if isOpen(event.id) {
                open?.group = event
                readAgain { $0.status != .read }
            }
            return refresh(.conversations)
        case let event as FileEvent: changed(event)
        case is RequestEvent: return refresh(.requests) + refresh(.conversations) + refresh(.people)
        case is PreferenceInfo: return refresh(.conversations)
        case let event as WorkspaceEvent: if let news = event.news.first { tell(news, stays: true) }
        default: break
        }
        return []
    }

    /// Messages are no longer shown.
    private mutating func gone(_ ids: [String]) -> [ChatEffect] {
        for id in ids {
            search.forget(id)
            open?.withdrawn(id)
        }
        history.lost(ids)
        return refresh(.conversations) + forgetInAssistant(ids)
    }

    private func isOpen(_ conversation: String?) -> Bool { conversation != nil && conversation == open?.info?.id }

    private mutating func added(_ message: MessageInfo) -> [ChatEffect] {
        // Until the first page has come, nobody knows whether it belongs there: the page is read once more.
        if open?.info == nil { open?.pages.reload() }
        guard isOpen(message.conversation) else { return refresh(.conversations) }
        let isAway = history.scroll > 0 || history.showsNewFirst
        open?.added(message, isAway: isAway)
        history.changed()
        if message.mine {
            // The event does not tell whether anything is in its way.
            open?.readAgain { $0.id == message.id }
        } else if message.note == nil, open?.isBehind == false, isAway || attendance.isIdle == true, !hasLineNew {
            open?.firstNew = message.id
        }
        return refresh(.conversations)
    }

    /// Whether the line "New" stands above something that nobody has seen.
    private var hasLineNew: Bool {
        open.flatMap { open in open.message(open.firstNew).map(open.isNew) } ?? false
    }

    /// A burst can be longer than the screen: the line "New" stands above what was not shown.
    mutating func markNewAbove() {
        guard history.newAbove(in: open) > 0, !hasLineNew, let open, let first = open.messages.first(where: open.isNew)
        else { return }
        self.open?.firstNew = first.id
        history.changed()
    }

    private mutating func readAgain(where isOld: (MessageInfo) -> Bool) {
        open?.readAgain { $0.status.map { $0.rank < MessageStatus.read.rank } ?? false && isOld($0) }
    }

    /// No event tells that a message has reached a courier, or waits for something else now.
    private mutating func readWaitingAgain() {
        readAgain { $0.status == .staged || $0.status == .sending || $0.status == .failed }
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
        isConnected && refreshes.changed(kind, at: clock.now) ? [call(kind)] : []
    }

    func call(_ kind: ListKind) -> ChatEffect {
        switch kind {
        case .conversations: .call(ConversationsOperation(), .conversations)
        case .requests: .call(RequestsOperation(), .requests)
        case .people: .call(PeersOperation(), .people)
        }
    }

    /// Asks for the page that is wanted next.
    mutating func nextPage() -> [ChatEffect] {
        guard isConnected, let open, open.failure == nil else { return [] }
        let unread = list.conversations.first { ($0.peer ?? $0.id) == open.who }?.unread ?? 0
        var pages = open.pages
        guard let request = pages.begin(pageRequests + 1, open, unread) else { return [] }
        pageRequests += 1
        self.open?.pages = pages
        return [.call(request.operation, .page(request))]
    }
}
