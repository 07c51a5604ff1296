import ParlanceControl
import ParlanceTerminal
import ParlanceWords

// What the daemon answers.
extension Chat {
    mutating func replied(_ purpose: ChatPurpose, _ reply: any Sendable) -> [ChatEffect] {
        switch (purpose, reply) {
        case (.conversations, let reply as ConversationsReply):
            list.conversations = reply.conversations
            if let open, let info = list.conversations.first(where: { ($0.peer ?? $0.id) == open.who }) {
                self.open?.info = open.info == nil ? nil : info
            }
            return refreshed(.conversations) + openFirst()
        case (.requests, let reply as RequestsReply):
            list.requests = reply.requests
            return refreshed(.requests)
        case (.people, let reply as PeersReply):
            list.people = reply.peers
            return refreshed(.people)
        case (.newest(let who), let page as HistoryReply): return received(newest: page, asked: who)
        case (.again(let who), let page as HistoryReply):
            isReadingAgain = false
            guard who == open?.who else { return [] }
            // The unread messages that are shown stay so: `read` may be under way.
            let read = Set(open?.messages.filter { $0.unread != true }.map(\.id) ?? [])
            var page = page
            for index in page.messages.indices where read.contains(page.messages[index].id) {
                page.messages[index].unread = nil
            }
            open?.received(newest: page)
            rowsAreOld = true
            return []
        case (.older(let who), let page as HistoryReply):
            guard who == open?.who else { return [] }
            open?.received(older: page)
            rowsAreOld = true
            return lookForFirstNew()
        case (.members(let who), let group as GroupInfo):
            if who == open?.who { open?.group = group }
            return []
        case (.text, let reply as SendReply):
            if reply.firstContact == true { tell(Phrase("First contact: they are asked to talk, on trust.")) }
            // No event tells why it waits.
            return reply.status == .staged && reply.conversation == open?.info?.id ? readAgain() : []
        case (.told(let phrase), _):
            tell(phrase)
            return refresh(.conversations) + refresh(.requests) + refresh(.people)
        case (.read, _): return refresh(.conversations)
        default: return []
        }
    }

    private mutating func received(newest page: HistoryReply, asked who: String) -> [ChatEffect] {
        let name = page.conversation.peer ?? page.conversation.id
        if wanted == who {
            wanted = nil
            if open?.who != name { turn(to: name) }
        }
        guard open?.who == name else { return [] }
        let isFirst = open?.info == nil
        open?.received(newest: page)
        rowsAreOld = true
        var effects: [ChatEffect] = []
        if page.conversation.kind == .group {
            effects.append(.call(GroupShowOperation(group: page.conversation.id), .members(who: name)))
        }
        if isFirst || open?.firstNew == nil {
            let first = open?.messages.first { $0.unread == true }?.id
            open?.firstNew = first
            showsNewFirst = isFirst && first != nil
            effects += lookForFirstNew()
        }
        return effects
    }

    /// Reads further back while there are more unread messages than those that are here.
    private mutating func lookForFirstNew() -> [ChatEffect] {
        guard let open, let info = open.info, open.firstNew != nil else { return [] }
        let unread = open.messages.count { $0.unread == true }
        if let first = open.messages.first(where: { $0.unread == true })?.id { self.open?.firstNew = first }
        return unread < info.unread ? loadOlder() : []
    }

    /// Opens the first conversation if none was chosen.
    private mutating func openFirst() -> [ChatEffect] {
        guard open == nil, wanted == nil, let first = list.entries.first else { return [] }
        return show(first.who)
    }

    mutating func failed(_ purpose: ChatPurpose, _ failure: ControlFailure) -> [ChatEffect] {
        var effects: [ChatEffect] = []
        switch purpose {
        case .conversations: effects = refreshed(.conversations)
        case .requests: effects = refreshed(.requests)
        case .people: effects = refreshed(.people)
        case .again: isReadingAgain = false
        case .older: open?.isLoadingOlder = false
        case .text(let who, let text): restore(text, for: who)
        case .newest(let who) where who == wanted:
            wanted = nil
            effects = openFirst()
        case .sign, .read, .members, .newest, .change, .told: break
        }
        // The end of the connection is shown where it belongs, and a sign is nobody's concern.
        if failure.code == ControlFailure.connectionLost.code || purpose == .sign { return effects }
        let shown = failure.forPeople
        tell(shown.advice.isEmpty ? shown.message : Phrase("\(shown.message) \(shown.advice)"), .bad)
        return effects
    }

    /// Puts a text that was not sent back, unless another one has been begun.
    private mutating func restore(_ text: String, for who: String) {
        if who == open?.who, purpose == .message {
            if editor.isEmpty { editor = LineEditor(text) }
        } else if drafts[who]?.isEmpty ?? true {
            drafts[who] = LineEditor(text)
        }
    }

    mutating func tell(_ phrase: Phrase, _ style: Style = .strong) {
        notice = Notice(text: VisibleText.line(say(phrase)), style: style)
    }
}
