import FoundationEssentials
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Writing messages and annotating them.
extension Engine {
    /// - Parameter draft: what the user wants to send; whom it mentions follows from its text.
    mutating func send(_ draft: MessageText, to who: String, _ id: CommandID) {
        guard isWhole(draft, id) else { return }
        switch resolveAddressee(who) {
        case .failure(let error): turn.refuse(id, error)
        case .success(.group(let group)): write(.message, draft, about: nil, in: group, id)
        case .success(.peer(let peer)):
            write(draft, answering: nil, in: ConversationID(direct: identity, peer), with: peer, id)
        }
    }

    /// Writes a message to a person or in a group. Writing to a person accepts them.
    private mutating func write(
        _ draft: MessageText,
        answering target: EventReference?,
        in conversation: ConversationID,
        with peer: PeerID?,
        _ id: CommandID
    ) {
        var isFirstContact = false
        if let peer {
            isFirstContact = !contacts.isAccepted(peer)
            guard openDirect(with: peer, id) else { return }
        }
        write(.message, draft, about: target, in: conversation, isFirstContact: isFirstContact, id)
    }

    private mutating func isWhole(_ draft: MessageText, _ id: CommandID) -> Bool {
        if draft.text.isBlank, draft.files.isEmpty {
            turn.refuse(id, .text(.emptyMessage))
        } else if draft.text.utf8.count > Limits.textBytes {
            turn.refuse(id, .text(.longMessage(bytes: draft.text.utf8.count)))
        } else if draft.files.count > Limits.filesPerMessage {
            turn.refuse(id, .file(.tooMany(count: draft.files.count)))
        } else if let file = draft.files.first(where: { !$0.isWellFormed }) {
            turn.refuse(id, .file(.badName(SafeFileName(file.name).text)))
        } else {
            return true
        }
        return false
    }

    /// Makes sure that the user may write to a peer. Writing accepts the peer.
    private mutating func openDirect(with peer: PeerID, _ id: CommandID) -> Bool {
        guard contacts[peer]?.trust != .blocked else {
            turn.refuse(id, .contact(.blocked(named(peer), .toSend)))
            return false
        }
        acceptContact(peer)
        createDirect(with: peer)
        return true
    }

    /// Appends a text: a message, a reply, or an edit.
    private mutating func write(
        _ kind: EventKind,
        _ draft: MessageText,
        about target: EventReference?,
        in id: ConversationID,
        isFirstContact: Bool = false,
        _ command: CommandID
    ) {
        guard let conversation = conversations[id] else { return turn.refuse(command, .message(.unknownConversation)) }
        guard mayWrite(in: conversation, command), kind != .message || isHeard(in: conversation, command) else {
            return
        }
        let body: [UInt8]
        switch mentions(in: draft.text, of: conversation) {
        case .success(let peers): body = MessageText(draft.text, mentions: peers, files: draft.files).body
        case .failure(let error): return turn.refuse(command, error)
        }
        guard body.count <= Limits.bodyBytes else { return turn.refuse(command, .file(.longNames)) }
        // Read this before the change: a reference to the logs during the change would copy them.
        let recipients = conversation.recipients(identity)
        guard let event = conversations.append(kind, body: body, target: target, to: id, &turn) else {
            return broken("the user writes only to conversations that this node holds")
        }
        let linked = recipients.filter { links.main(of: $0, hasOpen: id) }
        let sent = SentMessage(
            id: event.id,
            conversation: id,
            sequence: event.header.sequence,
            time: EventTime(wallMilliseconds: event.writtenTime.shown(at: turn.now.wall), after: nil),
            recipients: recipients.count,
            connected: linked.count,
            withinComputer: linked.count { mainLink(of: $0)?.isWithinComputer == true },
            isFirstContact: isFirstContact
        )
        turn.whenDurable(.answer(command, .sent(sent)))
        startOver(recipients.filter { !links.serve($0) })
    }

    mutating func mayWrite(in conversation: Conversation, _ id: CommandID) -> Bool {
        guard conversation.isMember(identity) else {
            failAsStranger(to: conversation, id)
            return false
        }
        guard mayBeCounted(in: conversation) else {
            turn.refuse(id, .group(.notAppliedYet(.toSend)))
            return false
        }
        if case .direct(let peer) = conversation.record.kind, contacts[peer]?.trust == .blocked {
            turn.refuse(id, .contact(.blocked(named(peer), .toSend)))
            return false
        }
        return true
    }

    /// Answers that this user is no longer in a group, and who ended the membership.
    mutating func failAsStranger(to conversation: Conversation, _ id: CommandID) {
        let author = conversation.group?.membership.end(of: identity)?.log.author
        let departure = author.map { $0 == identity ? Refusal.Departure.left : .removed(by: named($0).name) }
        turn.refuse(id, .group(.notMember(departure)))
    }

    /// Whether anyone would receive a message. Refuses the command in a group that all other members have left.
    private mutating func isHeard(in conversation: Conversation, _ id: CommandID) -> Bool {
        guard let group = conversation.group, conversation.recipients(identity).isEmpty,
            group.membership.everMembers.count > 1
        else { return true }
        turn.refuse(id, .group(.empty(isAdmin: group.membership.isAdmin(identity))))
        return false
    }

    /// Whether events that the user writes now count. After a return to the group they count once the change that added
    /// the user is applied, since only then can they name it. An invitation does not tell in which branch it stands.
    func mayBeCounted(in conversation: Conversation) -> Bool {
        guard let membership = conversation.group?.membership, membership.hasLost(identity) else { return true }
        let next = (conversation.logs[ownLog]?.held.sequence ?? 0) + 1
        return membership.allows(.member, identity, in: ownLog, at: next) {
            conversations.appliedChanges.contains($0.id)
        }
    }

    mutating func reply(to message: MessageReference, _ draft: MessageText, _ id: CommandID) {
        guard isWhole(draft, id) else { return }
        var peer: PeerID?
        if case .direct(let other) = conversations[message.conversation]?.record.kind { peer = other }
        write(draft, answering: message.event, in: message.conversation, with: peer, id)
    }

    mutating func edit(_ message: MessageReference, _ text: String, _ id: CommandID) {
        guard !text.isBlank else { return turn.refuse(id, .text(.emptyEdit)) }
        let draft = MessageText(text)
        guard isWhole(draft, id) else { return }
        guard message.event.log.author == identity else { return turn.refuse(id, .message(.editByOther)) }
        write(.edit, draft, about: message.event, in: message.conversation, id)
    }

    mutating func delete(_ message: MessageReference, _ id: CommandID) {
        guard let conversation = conversations[message.conversation] else {
            return turn.refuse(id, .message(.unknownConversation))
        }
        guard mayWrite(in: conversation, id) else { return }
        guard message.event.log.author == identity || conversation.group?.membership.isAdmin(identity) == true else {
            return turn.refuse(id, .message(.deletionByOther))
        }
        conversations.append(.delete, body: [], target: message.event, to: message.conversation, &turn)
        turn.whenDurable(.answer(id, .done))
    }

    mutating func react(to message: MessageReference, _ emoji: String, _ removed: Bool, _ id: CommandID) {
        guard let conversation = conversations[message.conversation] else {
            return turn.refuse(id, .message(.unknownConversation))
        }
        guard mayWrite(in: conversation, id) else { return }
        // Other nodes may have given reactions that are no emoji, so any reaction can be removed.
        guard emoji.isEmoji, removed || emoji.isOneEmoji else { return turn.refuse(id, .text(.notAnEmoji)) }
        var body = WireReactionBody()
        body.emoji = emoji
        body.removed = removed
        let bytes = body.encodedBytes()
        conversations.append(.reaction, body: bytes, target: message.event, to: message.conversation, &turn)
        turn.whenDurable(.answer(id, .done))
    }

    /// Withdraws a message that is neither delivered nor on its way, or that counts for nobody.
    mutating func cancel(
        _ log: LogID,
        _ conversation: ConversationID,
        _ sequence: UInt64,
        isVoid: Bool,
        _ id: CommandID
    ) {
        let view = deliveryView(of: conversation)
        guard log == ownLog, let delivery = view.logs.first(where: { $0.log == log }) else {
            return turn.refuse(id, .message(.otherCopy))
        }
        guard sequence <= conversations[conversation]?.held(of: log).sequence ?? 0 else {
            return turn.refuse(id, .message(.unknown))
        }
        // Whoever got it does not show it either.
        guard !isVoid else { return withdraw(sequence, in: conversation, id) }
        let reached = delivery.progress.map(\.delivered.sequence).max() ?? 0
        guard sequence > max(reached, delivery.formerThrough) else { return turn.refuse(id, .message(.delivered)) }
        guard sequence > delivery.sendingThrough else { return turn.refuse(id, .message(.onItsWay)) }
        withdraw(sequence, in: conversation, id)
    }

    private mutating func withdraw(_ sequence: UInt64, in conversation: ConversationID, _ id: CommandID) {
        var body = WireWithdrawBody()
        body.sequence = sequence
        conversations.append(.withdraw, body: body.encodedBytes(), to: conversation, &turn)
        turn.whenDurable(.answer(id, .done))
    }

    /// Tries again at once, including messages that were refused.
    mutating func retry(_ conversation: ConversationID, _ id: CommandID) {
        guard let record = conversations[conversation]?.record else {
            return turn.refuse(id, .message(.unknownConversation))
        }
        if case .direct(let peer) = record.kind { refusalEnded(by: peer) }
        turn.whenDurable(.answer(id, .done))
        startOver(conversations[conversation].map { $0.recipients(identity) } ?? [])
    }
}
