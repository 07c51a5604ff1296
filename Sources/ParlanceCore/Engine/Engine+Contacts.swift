import FoundationEssentials
import ParlanceRecords
import ParlanceSodium
import ParlanceWire

// First contact: requests and answers; refusing and forgetting (contacts.md).
extension Engine {
    /// Accepts a peer, and updates its links accordingly.
    mutating func trust(_ id: PeerID) {
        route(contacts.accept(id, &turn))
    }

    /// Accepts a peer to whom the user writes, or whom the user adds to a group.
    mutating func acceptContact(_ id: PeerID) {
        guard contacts[id]?.trust == .unknown else { return }
        trust(id)
        if contacts[id]?.request != nil { answerRequest(of: id) }
        createDirect(with: id)
        turn.whenDurable(.openContact(id))
        tellPeer(id)
    }

    mutating func accept(_ id: PeerID, command: CommandID) {
        let before = view(of: id)
        trust(id)
        answerRequest(of: id)
        createDirect(with: id)
        startOver([id])
        answer(command, about: id, from: before)
        tellPeer(id)
    }

    /// Accepts a contact request. The answer is signed once, stored, and sent on every link.
    mutating func answerRequest(of id: PeerID) {
        if contacts.needsAnswer(id) { contacts.answer(id, with: signedAnswer(to: id).encodedBytes(), &turn) }
        turn.whenDurable(.openContact(id))
    }

    private func signedAnswer(to peer: PeerID) -> WireContactAnswer {
        var answer = WireContactAnswer()
        answer.from = Data(identity.bytes)
        answer.to = Data(peer.bytes)
        answer.accepted = true
        answer.time = UInt64(clamping: turn.now.wall)
        answer.signature = Data(turn.own.signer.sign(Self.bytesToSign(answer)))
        return answer
    }

    private static func bytesToSign(_ answer: WireContactAnswer) -> [UInt8] {
        [Domain.contactAnswer] + [UInt8](answer.from) + [UInt8](answer.to) + [answer.accepted ? 1 : 0]
            + answer.time.bigEndianBytes
    }

    /// Sends our signed acceptance, if the peer has requested one. It is sent on each link, since an earlier link may
    /// have ended too early.
    mutating func sendAnswer(to id: PeerID, on link: LinkID) {
        guard let answer = contacts[id]?.answerGiven, let wire = WireContactAnswer(decoding: answer) else { return }
        send(.contactAnswer(wire), on: link)
    }

    /// Informs a peer that it was durably accepted, and opens the conversation on its links.
    mutating func openContact(with id: PeerID) {
        for link in links.open(with: id) {
            guard handOnKey(on: link.id) else { continue }
            sendAnswer(to: id, on: link.id)
            // The link may already be listing groups, but not the direct conversation.
            let conversation = ConversationID(direct: identity, id)
            guard link.sessions[conversation]?.isListed == true else {
                sendSummary(on: link.id, of: [conversation])
                continue
            }
            // The peer may have listed it with an equal clock before this was durable, and been told nothing of it.
            sendClock(of: conversation, on: link.id)
        }
    }

    /// Sends a contact request to a peer that does not exchange our conversation yet, if something waits for it.
    mutating func askForContact(on id: LinkID) {
        guard links.askForContact(on: id, people, conversations, &turn), let peer = links[id]?.peer else { return }
        contacts.ask(peer)
    }

    /// Sends the contact request whose preview was read.
    mutating func previewRead(_ event: StoredEvent?, of key: LogKey, on id: LinkID) {
        guard let event else { return close(id, .unspecified) }
        guard let link = links[id], !link.closing else { return }
        links.sendRequest(about: event, on: id, &turn)
        contacts.ask(link.peer)
        // A new summary lets the peer open the conversation as soon as it accepts.
        sendSummary(on: id, of: [key.conversation])
    }

    mutating func contactRequestReceived(_ request: WireContactRequest, on id: LinkID) throws(Breach) {
        guard let link = links[id], EventID(request.event) != nil, request.preview.utf8.count <= Limits.previewBytes
        else { throw .contactRequestFields }
        if contacts.isAccepted(link.peer) {
            createDirect(with: link.peer)
            // The peer may have forgotten us since.
            tellAgain(on: id)
            return answerRequest(of: link.peer)
        }
        guard contacts.requested(by: link.peer, request.preview, from: link.remote.host, &turn) else { return }
        turn.whenDurable(.effect(.notify(.request(view(of: link.peer)))))
    }

    mutating func contactAnswerReceived(_ answer: WireContactAnswer, on id: LinkID) throws(Breach) {
        guard let link = links[id] else { return broken("a frame arrives on an open link") }
        // A stranger cannot accept itself: only the answer to our request counts, and only the first one.
        guard answer.accepted, contacts.isAccepted(link.peer) else { return }
        contacts.wasAnswered(by: link.peer)
        guard contacts[link.peer]?.answerReceived == nil else {
            // The peer may have forgotten us since.
            return tellAgain(on: id)
        }
        guard PeerID(answer.from) == link.peer, PeerID(answer.to) == identity else {
            throw .contactAnswerFields
        }
        guard Ed25519.verify([UInt8](answer.signature), of: Self.bytesToSign(answer), by: link.peer.bytes) else {
            throw .contactAnswerSignature
        }
        contacts.keepAnswer(answer.encodedBytes(), of: link.peer, &turn)
        tellPeer(link.peer)
        tellAgain(on: id)
    }

    /// Tells a peer that has just accepted this user what it ignored on a link until then: the workspace's newest key,
    /// invitations, prekeys and envelopes.
    mutating func tellAgain(on id: LinkID) {
        let again = links.change(id) { $0.tellsAgain() } == true
        if again { _ = handOnKey(on: id) }
        if links[id]?.summaryReceived == true { invite(on: id, again: again) }
        scheduleCourier(on: id)
    }

    // Refusing and forgetting.

    /// Tells a blocked peer that its conversation is refused, and closes.
    mutating func refuse(_ id: LinkID) {
        guard let link = links[id] else { return }
        sendRefusal(of: ConversationID(direct: identity, link.peer), .blocked, on: id)
        close(id, .blocked)
    }

    mutating func sendRefusal(of conversation: ConversationID, _ code: WireRefusalCode, on id: LinkID) {
        var refuse = WireRefuse()
        refuse.conversation = Data(conversation.bytes)
        refuse.code = code
        send(.refuse(refuse), on: id)
    }

    mutating func refuseReceived(_ refuse: WireRefuse, on id: LinkID) {
        guard let link = links[id], ConversationID(refuse.conversation) == ConversationID(direct: identity, link.peer)
        else { return }
        endSession(of: ConversationID(direct: identity, link.peer), on: id)
        if refuse.code == .blocked { refused(by: link.peer) }
    }

    /// Marks what waits for a peer as failed until a retry, since the peer refused it.
    mutating func refused(by id: PeerID) {
        let conversation = ConversationID(direct: identity, id)
        dialing.backOffRefused(id, links, people, &turn)
        // A message that is being written was sent before the user could know of the refusal.
        let written = conversations[conversation]?.held(of: ownLog).sequence ?? 0
        guard contacts.refused(by: id, through: written, &turn) else { return }
        turn.whenDurable(.tellDelivery(conversation))
    }

    /// Ends a refusal when a `Summary` arrives: a node sends none to a peer that it has blocked. Failed messages wait
    /// again.
    mutating func refusalEnded(by id: PeerID) {
        dialing.refusalEnded(by: id, at: turn.now)
        guard contacts.refusalEnded(by: id, &turn) else { return }
        // Told before it is durable: the peer may refuse again in the meantime, and then both changes are told.
        tellDelivery(of: ConversationID(direct: identity, id))
        tellPeer(id)
    }

    /// Forgets all that is known of a peer. The conversation is kept.
    mutating func forget(_ id: PeerID, command: CommandID) {
        contacts.forget(id, &turn)
        pictures.erase(id, &turn)
        couriers.free(id, isBlocked: false, &turn)
        addressBook.drop(id)
        dialing.dropAddresses(of: id)
        turn.whenDurable(.answer(command, .done))
        turn.whenDurable(.endLinks(id))
        tellPeer(id)
    }

    /// Ends the links with a durably forgotten peer, unless the user has accepted or blocked it since. The peer then stays
    /// away for minutes, so it is not told before.
    mutating func endLinks(with id: PeerID) {
        guard contacts.trust(in: id) == .unknown else { return }
        for link in links.open(with: id) { close(link.id, .limit) }
    }
}
