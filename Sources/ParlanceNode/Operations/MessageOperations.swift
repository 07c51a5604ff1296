import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceRecords
import ParlanceStore
import ParlanceTexts
import ParlanceWire
import ParlanceWords

// Operations that write a message, or act on one found by its ID.

extension NodeOperations {
    static let messages: [any NodeOperation.Type] = [
        SendOperation.self, ReplyOperation.self, EditOperation.self, DeleteOperation.self, ReactOperation.self,
        InfoOperation.self,
    ]
}

extension SendOperation: NodeOperation {
    /// Programs send in pipelines, so a text alone needs no task: half of what a send costs would be the task.
    static func add(to methods: inout ControlMethods, of node: LocalControl) {
        methods.add(Self.self) { operation, reply in
            guard operation.files?.isEmpty ?? true else {
                return ControlMethods.begin(reply) { () async throws(ControlError) in
                    try await operation.perform(on: node)
                }
            }
            node.inbox.offer(.send(who: operation.who, text: operation.text, files: [])) { result in
                reply(node.view(\.sent, in: result).map { node.sent($0, operation.text) })
            }
        }
    }

    func perform(on node: LocalControl) async throws(ControlError) -> SendReply {
        let files = try await node.mentions(of: files)
        return node.sent(try await node.ask(.send(who: who, text: text, files: files), \.sent), text)
    }
}

extension ReplyOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> SendReply {
        let (message, meant) = try await node.message(id, lastOf: .others)
        let files = try await node.mentions(of: files)
        var sent = node.sent(try await node.ask(.reply(message.place, text: text, files: files), \.sent), text)
        sent.meant = meant
        return sent
    }
}

extension EditOperation: MessageCommandOperation {
    var lastAuthor: LastAuthor { .user }
    var newText: String? { text }

    func command(about message: MessageReference) -> Command { .edit(message, text: text) }
}

extension DeleteOperation: MessageCommandOperation {
    var lastAuthor: LastAuthor { .user }

    func command(about message: MessageReference) -> Command { .delete(message) }
}

extension ReactOperation: MessageCommandOperation {
    var lastAuthor: LastAuthor { .others }

    func command(about message: MessageReference) -> Command { .react(message, emoji: emoji, removed: remove == true) }
}

/// An operation that is one command about a message. It replies with the message as the command left it.
protocol MessageCommandOperation: NodeOperation where Reply == MessageInfo {
    /// The ID as typed.
    var id: String { get }
    /// Whose newest message `last` stands for.
    var lastAuthor: LastAuthor { get }
    /// The text that the message gets; nil where it gets none.
    var newText: String? { get }
    func command(about message: MessageReference) -> Command
}

extension MessageCommandOperation {
    var newText: String? { nil }

    func perform(on node: LocalControl) async throws(ControlError) -> MessageInfo {
        try await node.changeMessage(id, lastOf: lastAuthor, newText: newText) { command(about: $0) }
    }
}

extension InfoOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> MessageLife {
        let last = try await node.last(id, of: others == true ? .others : .user)
        let transfers = try await node.ask(.transfers, \.transfers)
        let places = try await node.places()
        var life = try await node.read { try node.life(of: last?.meant.id ?? id, last?.message.unlessVoid, places) }
        life.add(transfers.uploads, node.hub)
        if others == true { life.message.meant = last?.meant }
        return life
    }
}

extension LocalControl {
    /// Describes a message that was written, with what looks like a mention in it and is none.
    fileprivate func sent(_ view: SentMessage, _ text: String) -> SendReply {
        var reply = SendReply(view, isOffline: view.connected > view.withinComputer && facts.offline() != nil)
        reply.unknownMentions = unknownMentions(in: text, of: view.conversation)
        return reply
    }

    private func unknownMentions(in text: String, of conversation: ConversationID) -> [UnknownMention]? {
        guard text.contains("@") else { return nil }
        let guesses = hub.mentionGuess(of: conversation).guesses(in: text)
        return guesses.isEmpty ? nil : guesses
    }

    /// Gives a command about a message, and replies with the message as the command left it.
    ///
    /// - Parameter text: its new text, if it gets one.
    fileprivate func changeMessage(
        _ typed: String,
        lastOf author: LastAuthor,
        newText text: String?,
        _ command: (MessageReference) -> Command
    ) async throws(ControlError) -> MessageInfo {
        let (message, meant) = try await message(typed, lastOf: author)
        // The answers differ: an edit returns what was written, the other commands return nothing.
        _ = try await ask(command(message.place)) { $0 }
        let places = try await places()
        let now = try await read { [self] in try store.message(message.reference, in: message.conversation) ?? message }
        var info = teller(in: now.conversation, places).info(now)
        info.meant = meant
        if let text { info.unknownMentions = unknownMentions(in: text, of: now.conversation) }
        return info
    }

    /// Finds the message with the typed ID, or `last`, if commands can act on it; and what the reply says of `last`.
    fileprivate func message(
        _ typed: String,
        lastOf author: LastAuthor
    ) async throws(ControlError) -> (ShownMessage, ResolvedMessage?) {
        let last = try await last(typed, of: author)
        let id = last?.meant.id ?? typed
        var found = last?.message.unlessVoid
        if found == nil { found = try await read { [self] in try find(id) } }
        if let found {
            if found.note != nil { throw .noMessage }
            if found.rich?.deletion != nil { throw .deletedMessage }
            return (found, last?.meant)
        }
        let places = try await places()
        throw try await read { [self] in try whyNot(id, places) }
    }

    /// Why no command can act on a line that is shown but not projected.
    private func whyNot(_ typed: String, _ places: [Place]) throws(StoreError) -> ControlError {
        guard let (line, place) = try overlaid(typed, places) else { return .unknownID }
        guard line.note == nil else { return .noMessage }
        return .voidMessage(place.why(line, cutOff: nil) { hub.name(of: $0) } ?? "")
    }

    /// Finds a line that is shown but not projected, other than a waiting one.
    private func overlaid(_ typed: String, _ places: [Place]) throws(StoreError) -> (ShownMessage, Place)? {
        for place in places where place.isGroup {
            var overlay = place.overlay
            overlay.overdue = []
            let lines = try store.messages(overlay, in: place.conversation)
            if let line = lines.first(where: { $0.id.text.hasPrefix(typed.lowercased()) }) { return (line, place) }
        }
        return nil
    }

    /// - Returns: `nil` if neither a projected nor a waiting message has an ID with this prefix.
    private func find(_ typed: String) throws -> ShownMessage? {
        guard typed.utf8.count >= PeerID.shortestPrefix else {
            throw ControlError.shortMessageID(typed, least: PeerID.shortestPrefix)
        }
        let found = try store.findMessages(idPrefix: typed, limit: 2, includingNotes: true)
        if found.isEmpty, try store.isWaiting(idPrefix: typed) { throw ControlError.waitingMessage }
        guard found.count <= 1 else { throw ControlError.severalMessages }
        return found.first
    }

    // The delivery and versions of a message.

    /// - Parameter known: the message, if it is found already.
    fileprivate func life(of typed: String, _ known: ShownMessage?, _ places: [Place]) throws -> MessageLife {
        if let message = try known ?? find(typed) {
            let versions = try store.versions(of: message.reference, in: message.conversation)
            var life = life(of: message, versions, places)
            if !life.message.mine {
                let via = try store.source(of: message.reference, in: message.conversation)
                life.via = via.map { hub.person($0) }
            }
            return life
        }
        guard let (line, _) = try overlaid(typed, places) else { throw ControlError.unknownID }
        let versions = [MessageVersion(id: line.id, text: line.text, time: line.time)]
        return life(of: line, line.note == nil ? versions : [], places)
    }

    private func life(of message: ShownMessage, _ versions: [MessageVersion], _ places: [Place]) -> MessageLife {
        let place = places.first { $0.conversation == message.conversation }
        let cutOff = facts.cutOff()
        // A void message counts for nobody, so it has no recipients.
        let isOwn = message.log.author == store.identity && message.note == nil && !message.isVoid
        var life = MessageLife(
            message: MessageTeller(hub: hub, place: place, cutOff: cutOff).info(message),
            title: place?.title ?? "",
            recipients: isOwn ? place.map { receipts(of: message, in: $0, places, cutOff: cutOff) } ?? [] : [],
            versions: versions.map { version in
                MessageLife.Version(time: ControlTime(shown: version.time), text: version.text)
            }
        )
        if case .peer(let view) = place { life.trust = .init(view.record.trust) }
        life.recipients = life.recipients.map { receipt in
            var receipt = receipt
            receipt.statusWords = life.word(for: receipt)
            return receipt
        }
        return life
    }

    /// Why somebody does not have a message.
    ///
    /// - Parameter cutOff: why this computer has no network.
    private func sentence(_ recipient: DeliveryView.Recipient, _ person: Person, cutOff: Phrase?) -> Phrase {
        let own = recipient.needsNetwork ? cutOff : nil
        let isHeld = if case .held = recipient.reason { true } else { false }
        if let own, !isHeld { return own }
        let (reason, name) = (recipient.reason, person.displayName)
        let sentence = WaitReason.sentence(reason, [name], isOffline: own != nil) { hub.name(of: $0) }
        return Phrase.joined([own, sentence].compactMap(\.self), by: "; ")
    }

    private func receipts(
        of message: ShownMessage,
        in place: Place,
        _ places: [Place],
        cutOff: Phrase?
    ) -> [MessageLife.Receipt] {
        let now = Moment.now()
        let reach = place.delivery.reach(of: message.sequence, in: message.log)
        let hasFailed = place.delivery.status(of: message, reach, isCutOff: cutOff != nil) == .failed
        let (delivered, read) = (Set(reach.delivered), Set(reach.read))
        let people = Set(reach.recipients)
        let progress = place.delivery.logs.first { $0.log == message.log }?.progress ?? []
        return zip(place.delivery.recipients, progress).filter { people.contains($0.0.peer) }.map {
            recipient,
            progress in
            let person = hub.person(recipient.peer)
            let waits = !delivered.contains(recipient.peer)
            let isRead = read.contains(recipient.peer)
            let isCutOff = cutOff != nil && !recipient.isLinkedWithinComputer
            let why =
                hasFailed
                ? WaitReason.refusal(recipient.reason, by: person.displayName) { hub.name(of: $0) }
                : sentence(recipient, person, cutOff: cutOff)
            let next = places.lazy.compactMap { $0.nextTry(of: recipient.peer) }.first
            var receipt = MessageLife.Receipt(
                person: person,
                delivered: !waits,
                read: isRead,
                deliveredAt: waits ? nil : progress.deliveredAt.flatMap { ControlTime(learnt: $0) },
                readAt: isRead ? progress.readAt.flatMap { ControlTime(learnt: $0) } : nil,
                why: waits ? why : nil,
                nextTry: waits && !hasFailed && !isCutOff ? next.map { now.time(ofMonotonic: $0) } : nil
            )
            let via = isRead ? progress.readVia : progress.deliveredVia
            receipt.via = waits ? nil : via.map { hub.person($0) }
            if waits, !hasFailed, !isCutOff, recipient.reason == .onItsWay { receipt.sending = true }
            if waits, !hasFailed, case .held(let couriers) = recipient.reason {
                receipt.couriers = couriers.map { hub.person($0) }
            }
            return receipt
        }
    }
}

extension ControlTime {
    /// `nil` for what was learned before the store recorded times.
    fileprivate init?(learnt: Int64) {
        guard learnt > 0 else { return nil }
        self.init(milliseconds: learnt)
    }
}

extension ShownMessage {
    /// `nil` for a message that counts for nobody, which is found and answered for apart.
    fileprivate var unlessVoid: ShownMessage? { isVoid ? nil : self }

    /// The reference by which commands name the message.
    fileprivate var place: MessageReference { MessageReference(conversation: conversation, event: reference) }
}

extension SendReply {
    /// - Parameter isOffline: whether this computer has no network: a link counts as up for a while after it has gone.
    init(_ sent: SentMessage, isOffline: Bool) {
        let connected = isOffline ? sent.withinComputer : sent.connected
        self.init(
            id: sent.id.text,
            conversation: sent.conversation.text,
            sequence: sent.sequence,
            time: ControlTime(milliseconds: sent.time.milliseconds),
            status: sent.recipients == 0 ? nil : connected > 0 ? .sending : .staged
        )
        self.connected = connected
        if sent.isFirstContact { firstContact = true }
    }
}

extension ControlError {
    fileprivate static let unknownID = ControlError(
        .unknownMessage,
        "No message here has that ID.",
        advice: "Use an ID, or its first characters, as \"parlance history WHO --ids\" shows them."
    )
    fileprivate static let waitingMessage = ControlError(
        .unknownMessage,
        "That message waits for an earlier one that is not here yet.",
        advice: "Nothing can be done to it before that has come."
    )
    fileprivate static func voidMessage(_ why: Phrase) -> ControlError {
        ControlError(
            .notAllowed,
            "That message counts for nobody: \(why).",
            advice: "Nothing can be done to it. What is still to be said has to be sent again."
        )
    }
    fileprivate static let noMessage = ControlError(
        .unknownMessage,
        "That line is a notice, not a message.",
        advice: "Name a message; \"parlance history WHO --ids\" shows their IDs."
    )
    fileprivate static let deletedMessage = ControlError(
        .notAllowed,
        "That message has been deleted.",
        advice: "Nothing more can be done to it."
    )
}
