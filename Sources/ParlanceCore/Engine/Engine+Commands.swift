import Foundation
import ParlanceWire

// What people tell their node to do. Where an error is answered nothing was changed, except that after a failed write a
// change of a peer or of oneself stands in memory and is written with the next batch.
extension Engine {
    mutating func carryOut(_ command: Command, _ id: CommandID) {
        switch command {
        case .find, .listPeers, .listDeliveries, .showProfile: break  // Programs ask these; nobody need sit here.
        default: noteActivity()
        }
        switch command {
        case .send(let who, let text): sendMessage(text, to: who, id)
        case .cancel(let log, let conversation, let sequence): cancel(log, conversation, sequence, id)
        case .retry(let conversation): retry(conversation, id)
        case .read(let who): with(who, id) { $0.markRead(ConversationID(direct: $0.identity, $1), command: id) }
        case .accept(let who): with(who, id) { $0.accept($1, command: id) }
        case .block(let who): with(who, id) { $0.block($1, command: id) }
        case .forget(let who): with(who, id) { $0.forget($1, command: id) }
        case .setAlias(let who, let alias): with(who, id) { $0.setAlias(alias, of: $1, id) }
        case .setName(let name): setName(name, id)
        case .setPresence(let activity, let text): setPresence(activity, text, id)
        case .typing(let who): with(who, id) { $0.tellTyping(to: $1, command: id) }
        case .find(let who): with(who, id) { $0.emit(.answer(id, .success(.peer($0.view(of: $1))))) }
        case .listPeers:
            emit(.answer(id, .success(.peers(peers.keys.sorted().map { view(of: $0) }))))
        case .showProfile: emit(.answer(id, .success(.profile(profile))))
        case .listDeliveries:
            emit(.answer(id, .success(.deliveries(conversations.keys.sorted().map { deliveryView(of: $0) }))))
        }
    }

    private mutating func with(_ who: String, _ id: CommandID, _ body: (inout Engine, PeerID) -> Void) {
        switch resolve(who) {
        case .success(let peer): body(&self, peer)
        case .failure(let error): emit(.answer(id, .failure(error)))
        }
    }

    private mutating func fail(_ id: CommandID, _ code: CommandError.Code, _ message: String, _ advice: String) {
        emit(.answer(id, .failure(CommandError(code, message, advice: advice))))
    }

    private mutating func sendMessage(_ text: String, to who: String, _ id: CommandID) {
        guard !text.isBlank else {
            return fail(id, .emptyText, "An empty message was not sent.", "Write some text.")
        }
        guard text.utf8.count <= Limits.textBytes else {
            return fail(
                id,
                .textTooLong,
                "The text has \(text.utf8.count) bytes; a message holds \(Limits.textBytes).",
                "Nothing was sent. Send it in parts."
            )
        }
        with(who, id) { engine, peer in engine.write(text, to: peer, id) }
    }

    private mutating func write(_ text: String, to peer: PeerID, _ id: CommandID) {
        guard peers[peer]?.record.trust != .blocked else {
            return fail(
                id,
                .blocked,
                "You have blocked \(view(of: peer).displayName).",
                "Nothing was sent. To talk again: parlance accept \(peer.prefix)"
            )
        }
        let isFirst = peers[peer]?.isAccepted != true
        if isFirst {
            trust(peer)  // Writing to somebody accepts them on one's own side.
            if peers[peer]?.record.request != nil { answerRequest(of: peer) }
        }
        let conversation = ConversationID(direct: identity, peer)
        if conversations[conversation] == nil { create(ConversationRecord(id: conversation, kind: .direct(peer))) }
        var body = WireMessageBody()
        body.text = text
        let event = append(.message, body: body.encodedBytes(), to: conversation)
        whenDurable(
            .answer(
                id,
                .sent(
                    SentMessage(
                        id: event.id,
                        conversation: conversation,
                        peer: peer,
                        sequence: event.header.sequence,
                        time: event.header.time,
                        isOnItsWay: mainLink(of: peer)?.syncs[conversation]?.theirs != nil
                    )
                )
            )
        )
        if isFirst {
            whenDurable(.openContact(peer))
            tellPeer(peer)
        }
        if mainLink(of: peer) == nil { startOver(peer) }
    }

    /// Takes a message back that has not left yet.
    private mutating func cancel(
        _ log: LogID,
        _ conversation: ConversationID,
        _ sequence: UInt64,
        _ id: CommandID
    ) {
        let view = deliveryView(of: conversation)
        guard log == ownLog, let delivery = view.logs.first(where: { $0.log == log }) else {
            return fail(
                id,
                .unknownMessage,
                "That message was not written by this copy of your node.",
                "See \"parlance outbox\" for what waits."
            )
        }
        guard sequence <= conversations[conversation]?.logs[log]?.held.position.sequence ?? 0 else {
            return fail(id, .unknownMessage, "There is no such message.", "See \"parlance outbox\" for what waits.")
        }
        guard sequence > delivery.delivered.sequence else {
            return fail(
                id,
                .notWaiting,
                "That message has been delivered already.",
                "A delivered message cannot be cancelled."
            )
        }
        guard sequence > delivery.sendingThrough else {
            return fail(
                id,
                .notWaiting,
                "That message is on its way already.",
                "It can be cancelled only while it waits."
            )
        }
        var body = WireWithdrawBody()
        body.sequence = sequence
        append(.withdraw, body: body.encodedBytes(), to: conversation)
        whenDurable(.answer(id, .done))
    }

    /// Tries again at once, and gives what was refused another chance.
    private mutating func retry(_ conversation: ConversationID, _ id: CommandID) {
        guard let peer = conversations[conversation]?.peer else {
            return fail(
                id,
                .unknownMessage,
                "There is no such conversation.",
                "See \"parlance outbox\" for what waits."
            )
        }
        if peers[peer]?.record.refusedThrough != nil {
            peers[peer]?.record.refusedThrough = nil
            save(peer)
            emit(.notify(.delivery(deliveryView(of: conversation))))
        }
        whenDurable(.answer(id, .done))
        startOver(peer)
    }

    private mutating func setAlias(_ alias: String, of peer: PeerID, _ id: CommandID) {
        if alias.isEmpty {
            peers[peer]?.record.alias = nil
            save(peer)
            whenDurable(.answer(id, .done))
            return tellPeer(peer)
        }
        guard let shown = checkedName(alias, id) else { return }
        guard !isPinned(shown, byOtherThan: peer) else {
            return fail(id, .invalidName, "Somebody else goes by \"\(shown)\" already.", "Choose another alias.")
        }
        peers[peer]?.record.alias = shown
        save(peer)
        whenDurable(.answer(id, .done))
        tellPeer(peer)
    }

    private mutating func setName(_ name: String, _ id: CommandID) {
        guard let shown = checkedName(name, id) else { return }
        profile.name = shown
        saveProfile(id)
    }

    /// A name as it will be shown, or an answer that says why it cannot be one.
    private mutating func checkedName(_ name: String, _ id: CommandID) -> String? {
        let shown = name.withoutControlCharacters
        if let fault = name.faultAsName {
            fail(id, .invalidName, "A name \(fault).", "Choose another name.")
            return nil
        }
        return shown
    }

    private mutating func setPresence(_ activity: Activity?, _ text: String?, _ id: CommandID) {
        guard text?.hasControlCharacters != true else {
            return fail(id, .invalidName, "A status text holds no control characters.", "Leave them out.")
        }
        let shown = text?.withoutControlCharacters ?? profile.statusText
        guard shown.utf8.count <= Limits.statusTextBytes else {
            return fail(
                id,
                .invalidName,
                "A status text has at most \(Limits.statusTextBytes) bytes.",
                "Use a shorter one."
            )
        }
        profile.activity = activity ?? profile.activity
        profile.statusText = shown
        saveProfile(id)
    }

    private mutating func saveProfile(_ id: CommandID) {
        collecting.profile = profile
        whenDurable(.answer(id, .profile(profile)))
        announce()
    }
}
