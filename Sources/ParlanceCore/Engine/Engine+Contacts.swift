import Foundation
import ParlanceSodium
import ParlanceWire

// First contact: asking to talk, being asked, answering; blocking and forgetting (contacts.md).
extension Engine {
    /// Accepts a peer, and does for its links what follows from that.
    mutating func trust(_ id: PeerID) {
        route(contacts.accept(id, &turn))
    }

    /// Accepts a peer to whom the user writes, or whom the user brings into a group.
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
        startOver(id)
        answer(command, view(of: id), from: before)
        tellPeer(id)
    }

    /// Says yes to a request. The answer is signed once, kept, and told whenever a link is up.
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

    /// Our signed yes, if it asked; told on each link, since the one before may have ended too early.
    mutating func sendAnswer(to id: PeerID, on link: LinkID) {
        guard let answer = contacts[id]?.answerGiven, let wire = WireContactAnswer(decoding: answer) else { return }
        send(.contactAnswer(wire), on: link)
    }

    /// The peer is accepted, durably: tell it, and open the conversation on the links that are up.
    mutating func openContact(with id: PeerID) {
        for link in links.open(with: id) {
            guard handOnKey(on: link.id) else { continue }
            sendAnswer(to: id, on: link.id)
            // Groups may be open on the link already: they say nothing of the conversation of the two.
            let conversation = ConversationID(direct: identity, id)
            if link.sessions[conversation]?.isListed != true { sendSummary(on: link.id, of: [conversation]) }
        }
    }

    /// Asks a peer that does not take our conversation yet, if something waits for it.
    mutating func askForContact(on id: LinkID) {
        guard links.askForContact(on: id, people, conversations, &turn), let peer = links[id]?.peer else { return }
        contacts.ask(peer)
    }

    /// The message was read of which a request tells the first words.
    mutating func previewRead(_ event: StoredEvent?, of key: LogKey, on id: LinkID) {
        guard let event else { return close(id, .unspecified) }
        guard let link = links[id], !link.closing else { return }
        links.sendRequest(about: event, on: id, &turn)
        contacts.ask(link.peer)
        // A new summary lets the other side open the conversation as soon as it says yes.
        sendSummary(on: id, of: [key.conversation])
    }

    mutating func contactRequestReceived(_ request: WireContactRequest, on id: LinkID) {
        guard let link = links[id], EventID(request.event) != nil, request.preview.utf8.count <= Limits.previewBytes
        else { return breakLink(id, .contactRequestFields) }
        if isAccepted(link.peer) {
            createDirect(with: link.peer)
            // It may have forgotten us since, and not have taken what it was given on this link.
            scheduleCourier(on: id)
            return answerRequest(of: link.peer)
        }
        guard contacts.requested(by: link.peer, request.preview, from: link.remote.host, &turn) else { return }
        turn.whenDurable(.effect(.notify(.request(view(of: link.peer)))))
    }

    mutating func contactAnswerReceived(_ answer: WireContactAnswer, on id: LinkID) {
        guard let link = links[id] else { return }
        // Only an answer to what was asked: a stranger cannot accept itself. And only the first: one is enough.
        guard answer.accepted, isAccepted(link.peer) else { return }
        contacts.wasAnswered(by: link.peer)
        guard contacts[link.peer]?.answerReceived == nil else {
            // It may have forgotten us since, and take only now what it was given and invited to on this link.
            scheduleCourier(on: id)
            if link.summaryReceived { invite(on: id, again: true) }
            return
        }
        guard PeerID(answer.from) == link.peer, PeerID(answer.to) == identity else {
            return breakLink(id, .contactAnswerFields)
        }
        guard Ed25519.verify([UInt8](answer.signature), of: Self.bytesToSign(answer), by: link.peer.bytes) else {
            return breakLink(id, .contactAnswerSignature)
        }
        contacts.keepAnswer(answer.encodedBytes(), of: link.peer, &turn)
        tellPeer(link.peer)
        // Prekeys that it was given before it did not take.
        scheduleCourier(on: id)
        // What it was invited to before it did not take.
        invite(on: id, again: true)
    }

    // Refuse and forget.

    /// Tells a blocked peer that nothing of its conversation is taken, and closes.
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

    /// What waits for a peer that refuses has failed, until somebody tries again.
    mutating func refused(by id: PeerID) {
        let conversation = ConversationID(direct: identity, id)
        dialing.backOffRefused(id, links, people, &turn)
        // A message that is being written is newer than the refusal.
        let isWriting = conversations[conversation]?.isWriting(ownLog) == true
        if isWriting { startOver(id) }
        let written = conversations[conversation]?.durableThrough(ownLog) ?? 0
        guard contacts.refused(by: id, through: written, &turn) else { return }
        turn.whenDurable(.tellDelivery(conversation))
    }

    /// A node sends no `Summary` to a peer that it has blocked, so what had failed waits again.
    mutating func refusalEnded(by id: PeerID) {
        dialing.refusalEnded(by: id)
        guard contacts.refusalEnded(by: id, &turn) else { return }
        turn.whenDurable(.tellDelivery(ConversationID(direct: identity, id)))
        tellPeer(id)
    }

    /// Everything known of a peer goes, but not the conversation.
    mutating func forget(_ id: PeerID, command: CommandID) {
        for link in links.open(with: id) {
            close(link.id, .limit)
        }
        contacts.forget(id, &turn)
        addressBook.drop(id)
        dialing.dropAddresses(of: id)
        turn.whenDurable(.answer(command, .done))
        tellPeer(id)
    }
}

extension String {
    /// The longest beginning of at most so many bytes of UTF-8 that ends between characters.
    package func prefix(utf8 limit: Int) -> String {
        var taken = ""
        var bytes = 0
        for character in self {
            bytes += character.utf8.count
            guard bytes <= limit else { break }
            taken.append(character)
        }
        return taken
    }
}
