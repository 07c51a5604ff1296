import Foundation
import ParlanceWire

// Asking a peer to talk (contacts.md).
extension Links {
    /// Asks a peer that does not take our conversation yet, if something waits for it; once on each link.
    ///
    /// - Returns: whether a request went out. One about a message goes out later, once its first words were read.
    mutating func askForContact(
        on id: LinkID,
        _ people: People,
        _ conversations: Conversations,
        _ turn: inout Turn
    ) -> Bool {
        guard let link = self[id], link.summaryReceived, !link.requested, !link.closing else { return false }
        let conversation = ConversationID(direct: turn.own.identity, link.peer)
        guard link.sessions[conversation]?.isListed != true, people.admits(conversation, with: link.peer) else {
            return false
        }
        let waiting = conversations.undelivered(to: link.peer, turn.own)
        guard waiting.reached < waiting.through else { return askForGroup(on: link, people, conversations, &turn) }
        change(id) { $0.sendsRequest() }
        let request = ReadRequest(
            conversation: conversation,
            log: waiting.log,
            from: waiting.reached + 1,
            through: waiting.reached + 1,
            byteLimit: Limits.bodyBytes
        )
        turn.read(request, for: .preview(id, LogKey(conversation, waiting.log)))
        return false
    }

    /// Nothing is written to the peer itself, but it is in a group that it does not take.
    private mutating func askForGroup(
        on link: Link,
        _ people: People,
        _ conversations: Conversations,
        _ turn: inout Turn
    ) -> Bool {
        guard people.record(of: link.peer)?.answerReceived == nil,
            let waiting = people.shared(with: link.peer).first(where: { conversation in
                conversations[conversation]?.group != nil && link.sessions[conversation]?.isListed != true
            }),
            let group = conversations[waiting]?.group, let event = group.durable.events.first
        else { return false }
        change(link.id) { $0.sendsRequest() }
        sendRequest(about: event.id, "(invites you to the group \(group.title))", on: link.id, &turn)
        return true
    }

    /// Asks with the first words and the ID of a message that was read, never with the event.
    func sendRequest(about event: StoredEvent, on id: LinkID, _ turn: inout Turn) {
        var words = ""
        if case .message(let text, _) = Projector.judge(event, after: nil) { words = text }
        sendRequest(about: event.id, words, on: id, &turn)
    }

    private func sendRequest(about event: EventID, _ words: String, on id: LinkID, _ turn: inout Turn) {
        var request = WireContactRequest()
        request.event = Data(event.bytes)
        request.preview = words.prefix(utf8: Limits.previewBytes)
        send(.contactRequest(request), on: id, &turn)
    }
}
