import FoundationEssentials
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Commands of the user. A command that fails has changed nothing.
extension Engine {
    mutating func carryOut(_ command: Command, _ id: CommandID) {
        switch command {
        case .send(let who, let text, let files): send(MessageText(text, files: files), to: who, id)
        case .cancel(let log, let conversation, let sequence, let isVoid):
            cancel(log, conversation, sequence, isVoid: isVoid, id)
        case .retry(let conversation): retry(conversation, id)
        case .reply(let message, let text, let files): reply(to: message, MessageText(text, files: files), id)
        case .edit(let message, let text): edit(message, text, id)
        case .delete(let message): delete(message, id)
        case .react(let message, let emoji, let removed): react(to: message, emoji, removed, id)
        case .createGroup(let title, let who, let nonce, let force): createGroup(title, who, nonce, force: force, id)
        case .changeGroup(let who, let change): changeGroup(who, change, id)
        case .read(let who, let through):
            withConversation(who, id) {
                $0.conversations.markRead($1, through: through, command: id, $0.links, &$0.turn)
            }
        case .accept(let who): with(who, id) { $0.accept($1, command: id) }
        case .decline(let who): with(who, id) { $0.decline($1, command: id) }
        case .block(let who): with(who, id) { $0.block($1, command: id) }
        case .unblock(let who): with(who, id) { $0.unblock($1, command: id) }
        case .verify(let who, let isVerified): with(who, id) { $0.setVerified(isVerified, $1, command: id) }
        case .forget(let who): with(who, id) { $0.forget($1, command: id) }
        case .allow(let who): with(who, id) { $0.allow($1, command: id) }
        case .setCourier(let who, let isCourier): with(who, id) { $0.setCourier($1, isCourier, command: id) }
        case .setAlias(let who, let alias): with(who, id) { $0.setAlias(alias, of: $1, id) }
        case .setName(let name): presence.setName(name, id, &turn)
        case .setPicture(let content): pictures.choose(content, id, &turn)
        case .setPreference(let who, let change): setPreference(change, who, id)
        case .clear(let who, let deletes): clear(who, deletes: deletes, id)
        case .setLifetime(let who, let seconds): setLifetime(seconds, who, id)
        case .setPresence(let activity, let text): presence.setPresence(activity, text, id, &turn)
        case .typing(let who): withConversation(who, id) { $0.tellTyping(in: $1, command: id) }
        case .find(let who): with(who, id) { $0.turn.emit(.answer(id, .success(.peer($0.view(of: $1))))) }
        case .findConversation(let who): withConversation(who, id) { $0.answerConversation($1, id) }
        case .findGroup(let who):
            if let group = resolveGroup(who, id) { answerConversation(group, id) }
        case .listPeers: turn.emit(.answer(id, .success(.peers(peerViews))))
        case .listConversations:
            turn.emit(.answer(id, .success(.conversations(peerViews, groupViews))))
        case .listForks:
            let branches = conversations.values.flatMap(\.branches.values)
            let sorted = branches.sorted { ($0.conversation, $0.log) < ($1.conversation, $1.log) }
            turn.emit(.answer(id, .success(.forks(sorted))))
        case .examine(let who): examine(who, id)
        case .dialBack(let who): askForDialBack(of: who, id)
        case .workspace(let command): carryOut(command, id)
        case .fetch(let conversation, let mention): fetch(mention, in: conversation, id)
        case .pauseFile(let file): transfers.pause(file, id, links, &turn)
        case .resumeFile(let file): transfers.resume(file, id, links, &turn)
        case .cancelFile(let file): transfers.cancel(file, id, links, &turn)
        case .retryFile(let file): transfers.retry(file, id, links, &turn)
        case .transfers: answerTransfers(id)
        case .carriage(let who): with(who, id) { $0.answerCarriage(for: $1, id) }
        case .pack(let request): with(request.who, id) { $0.pack(request, for: $1, id) }
        case .takeParcel(let bytes, let slot, let who):
            with(who, id) { $0.takeParcel(bytes, slot: slot, from: $1, id) }
        case .status:
            let doctor = doctorView(of: contacts.ids)
            let picture = pictures.own.map { PictureMark(peer: identity, id: $0.id, made: $0.made) }
            let view = StatusView(
                profile: presence.ownView,
                picture: picture,
                doctor: doctor,
                groups: groupViews
            )
            turn.emit(.answer(id, .success(.status(view))))
        case .listDeliveries:
            turn.emit(.answer(id, .success(.deliveries(conversations.ids.map { deliveryView(of: $0) }))))
        }
    }

    /// All peers, in the order of their IDs.
    package var peerViews: [PeerView] { contacts.ids.map { view(of: $0) } }

    /// All groups, in the order of their IDs.
    private var groupViews: [GroupView] {
        conversations.values.filter { $0.group != nil }.map(\.id).sorted().map { groupView(of: $0) }
    }

    private mutating func with(_ who: String, _ id: CommandID, _ body: (inout Engine, PeerID) -> Void) {
        switch resolve(who) {
        case .success(let peer): body(&self, peer)
        case .failure(let error): turn.refuse(id, error)
        }
    }

    private mutating func withConversation(
        _ who: String,
        _ id: CommandID,
        _ body: (inout Engine, ConversationID) -> Void
    ) {
        switch resolveConversation(who) {
        case .success(let conversation): body(&self, conversation)
        case .failure(let error): turn.refuse(id, error)
        }
    }

    private mutating func answerConversation(_ conversation: ConversationID, _ id: CommandID) {
        if conversations[conversation]?.group != nil {
            turn.emit(.answer(id, .success(.group(groupView(of: conversation)))))
        } else if let peer = contacts.ids.first(where: { ConversationID(direct: identity, $0) == conversation }) {
            turn.emit(.answer(id, .success(.peer(view(of: peer)))))
        } else {
            turn.refuse(id, .message(.unknownConversation))
        }
    }

    /// Answers with a peer as it was before and after a command, once the change is durable.
    mutating func answer(_ command: CommandID, about peer: PeerID, from before: PeerView) {
        turn.whenDurable(.answerAbout(command, peer, from: before))
    }

    /// Changes the settings for a conversation.
    private mutating func setPreference(_ change: PreferenceChange, _ who: String, _ id: CommandID) {
        guard let conversation = begun(with: who, id) else { return }
        guard case .unlist = change else { return preferences.apply(change, to: conversation.record, id, &turn) }
        relist(conversation) { $0.apply(change, to: conversation.record, id, &$1) }
    }

    /// A conversation that there is already. If there is none, the command was refused: a person to whom nothing was
    /// written has none yet.
    mutating func begun(with who: String, _ id: CommandID) -> Conversation? {
        switch resolveAddressee(who) {
        case .failure(let error): turn.refuse(id, error)
        case .success(.group(let group)):
            if let conversation = conversations[group] { return conversation }
            turn.refuse(id, .message(.unknownConversation))
        case .success(.peer(let peer)):
            if let conversation = conversations[ConversationID(direct: identity, peer)] { return conversation }
            turn.refuse(id, .contact(.noConversation(named(peer))))
        }
        return nil
    }

    /// Gives a peer an alias; an empty one removes it. The answer shows the peer with its new name. An alias that is the
    /// title of a group of this user would take the messages that the user writes to the group, and one that is the
    /// beginning of somebody's ID would make that ID ambiguous.
    private mutating func setAlias(_ alias: String, of peer: PeerID, _ id: CommandID) {
        if alias.isEmpty {
            contacts.setAlias(nil, of: peer, &turn)
        } else {
            guard let shown = turn.checkedName(alias, id) else { return }
            guard !contacts.isTaken(shown, byOtherThan: peer) else {
                return turn.refuse(id, .text(.takenAlias(shown)))
            }
            guard !isID(shown, ofOtherThan: peer) else { return turn.refuse(id, .text(.aliasOfID(shown))) }
            guard !isTitle(shown) else { return turn.refuse(id, .text(.aliasOfGroup(shown))) }
            contacts.setAlias(shown, of: peer, &turn)
        }
        turn.whenDurable(.answer(id, .peer(view(of: peer))))
        tellPeer(peer)
    }

    /// Whether a name is a whole peer ID, or the beginning of that of this user or of somebody who is known.
    ///
    /// - Parameter peer: whose ID does not count.
    func isID(_ name: String, ofOtherThan peer: PeerID? = nil) -> Bool {
        if let whole = PeerID(text: name) { return whole != peer }
        return identity.matches(prefix: name) || contacts.known(by: name).contains { $0 != peer }
    }
}
