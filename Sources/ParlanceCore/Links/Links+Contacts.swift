import FoundationEssentials
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Sending contact requests (contacts.md, "ContactRequest").
extension Links {
    /// Sends a contact request to a peer that does not exchange our conversation yet, if something waits for it. It
    /// sends at most one per link.
    ///
    /// - Returns: whether a request was sent. A request about a message is sent later, once its preview has been read.
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

    /// Sends a request about a group that the peer has not listed, where no message to the peer itself waits.
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

    /// Sends a request with the ID and the first words of a message. The event itself is not sent.
    func sendRequest(about event: StoredEvent, on id: LinkID, _ turn: inout Turn) {
        var words = ""
        if case .message(let message) = Projector.judge(event, after: nil) { words = message.preview }
        sendRequest(about: event.id, words, on: id, &turn)
    }

    private func sendRequest(about event: EventID, _ words: String, on id: LinkID, _ turn: inout Turn) {
        var request = WireContactRequest()
        request.event = Data(event.bytes)
        request.preview = words.prefix(utf8: Limits.previewBytes)
        send(.contactRequest(request), on: id, &turn)
    }
}
