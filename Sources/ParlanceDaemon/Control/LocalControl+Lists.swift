import ParlanceControl
import ParlanceCore
import ParlanceStore
import ParlanceWire

// Lists: what the engine knows, joined with what the store holds.
extension LocalControl {
    func peers(_ reply: @escaping Reply) {
        ask(.listPeers, reply) { [store] answer throws(StoreError) in
            guard case .peers(let views) = answer else { return .success(.peers(PeersReply(peers: []))) }
            let unread = Self.unread(try store.conversations())
            let now = Moment.now()
            let infos = views.map { PeerInfo($0, unread: unread[$0.conversation] ?? 0, now: now) }
            let sorted = infos.sorted {
                ($0.connected ? 0 : 1, $0.displayName, $0.id) < ($1.connected ? 0 : 1, $1.displayName, $1.id)
            }
            return .success(.peers(PeersReply(peers: sorted)))
        }
    }

    private static func unread(_ summaries: [ConversationSummary]) -> [ConversationID: Int] {
        Dictionary(summaries.map { ($0.record.id, $0.unread) }) { $1 }
    }

    func conversations(_ reply: @escaping Reply) {
        ask(.listPeers, reply) { [self] answer throws(StoreError) in
            guard case .peers(let views) = answer else { return .success(.conversations(.init(conversations: []))) }
            let summaries = Dictionary(try store.conversations().map { ($0.record.id, $0) }) { $1 }
            let shown = views.filter { summaries[$0.conversation] != nil || $0.record.request != nil }
            let infos = shown.map { conversation(of: $0, summaries[$0.conversation]) }
            let sorted = infos.sorted {
                ($0.lastActivity?.milliseconds ?? 0, $1.id) > ($1.lastActivity?.milliseconds ?? 0, $0.id)
            }
            return .success(.conversations(ConversationsReply(conversations: sorted)))
        }
    }

    private func conversation(of view: PeerView, _ summary: ConversationSummary?) -> ConversationInfo {
        let last = summary?.lastMessage
        return ConversationInfo(
            id: view.conversation.text,
            title: view.displayName,
            peer: view.record.id.controlID,
            lastMessage: last.map { info(of: $0, view) },
            lastActivity: (summary?.lastActivity ?? view.record.request?.time).map { ControlTime(milliseconds: $0) },
            unread: summary?.unread ?? 0,
            presence: PresenceState(view.presence.activity),
            contact: view.contact,
            preview: view.record.request?.preview
        )
    }

    private func info(of message: ShownMessage, _ view: PeerView) -> MessageInfo {
        let status = view.delivery.status(of: message)
        return MessageInfo(
            message,
            own: store.identity,
            senderName: newsroom.name(of: message.log.author),
            status: status,
            waitingReason: view.delivery.why(status, peer: view.displayName)
        )
    }

    func history(_ request: HistoryRequest, _ reply: @escaping Reply) {
        let limit = request.limit ?? HistoryRequest.defaultLimit
        guard (1...HistoryRequest.maximumLimit).contains(limit) else {
            return reply(
                .failure(
                    ControlError(
                        .invalidValue,
                        "A page holds 1 to \(HistoryRequest.maximumLimit) messages, not \(limit).",
                        advice: "Ask for fewer, and for older ones by the ID of the oldest you have."
                    )
                )
            )
        }
        ask(.find(who: request.who), reply) { [self] answer throws(StoreError) in
            guard case .peer(let view) = answer else { return .failure(.unknownMessage) }
            var before: EventID?
            if let typed = request.before {
                let found = try store.findMessages(idPrefix: typed, in: view.conversation, limit: 2)
                guard found.count == 1 else { return .failure(found.isEmpty ? .unknownMessage : .severalMessages) }
                before = found[0].id
            }
            let page = try store.history(view.conversation, before: before, limit: limit + 1)
            var fitting = Array(page.suffix(limit))
            while fitting.count > 1 && fitting.reduce(0, { $0 + $1.text.utf8.count }) > ControlLimits.pageTextBytes {
                fitting.removeFirst()
            }
            let summary = try store.conversations().first { $0.record.id == view.conversation }
            return .success(
                .history(
                    HistoryReply(
                        conversation: conversation(of: view, summary),
                        messages: fitting.map { info(of: $0, view) },
                        more: page.count > fitting.count
                    )
                )
            )
        }
    }

    func read(_ who: String, _ reply: @escaping Reply) {
        ask(.find(who: who), reply) { [self] answer throws(StoreError) in
            guard case .peer(let view) = answer else { return .failure(.unknownMessage) }
            let unread = try store.conversations().first { $0.record.id == view.conversation }?.unread ?? 0
            give(.read(who: view.record.id.controlID), reply) { _ in
                .read(ReadReply(conversation: view.conversation.text, marked: unread))
            }
            return nil
        }
    }

    // The outbox is no second copy: it is what the logs hold beyond what recipients have.

    /// Own messages that have not reached everybody, the oldest first, with whom they wait for.
    private func waiting(_ views: [PeerView], limit: Int) throws(StoreError) -> [(
        message: ShownMessage, peer: PeerView
    )] {
        var items: [(message: ShownMessage, peer: PeerView)] = []
        for view in views {
            for log in view.delivery.logs {
                let messages = try store.ownMessages(
                    view.conversation,
                    log: log.log,
                    after: log.delivered.sequence,
                    limit: limit
                )
                items += messages.map { ($0, view) }
            }
        }
        return items.sorted { ($0.message.time, $0.message.id) < ($1.message.time, $1.message.id) }
    }

    /// How many own messages wait in all.
    func waitingCount(_ views: [PeerView]) throws(StoreError) -> Int {
        var count = 0
        for view in views {
            for log in view.delivery.logs {
                count += try store.waitingCount(view.conversation, log: log.log, after: log.delivered.sequence)
            }
        }
        return count
    }

    func outbox(_ reply: @escaping Reply) {
        ask(.listPeers, reply) { [self] answer throws(StoreError) in
            guard case .peers(let views) = answer else { return .success(.outbox(.init(items: [], total: 0))) }
            let now = Moment.now()
            let waiting = try waiting(views, limit: Self.outboxLimit)
            let items = waiting.prefix(Self.outboxLimit).map { item in
                let status = item.peer.delivery.status(of: item.message)
                return OutboxItem(
                    id: item.message.id.text,
                    conversation: item.message.conversation.text,
                    recipients: [.init(id: item.peer.record.id.controlID, displayName: item.peer.displayName)],
                    since: ControlTime(milliseconds: item.message.time.milliseconds),
                    status: status,
                    why: item.peer.delivery.why(status, peer: item.peer.displayName) ?? "",
                    nextTry: item.peer.delivery.nextTry.map { now.time(ofMonotonic: $0) },
                    preview: String(item.message.text.prefix(80))
                )
            }
            return .success(.outbox(OutboxReply(items: Array(items), total: try waitingCount(views))))
        }
    }

    /// Items of the outbox told at once: more than anybody reads.
    private static var outboxLimit: Int { 1_000 }

    /// Finds a waiting message by its ID, gives the command about it, and answers with the message as it is then.
    func changeWaiting(
        _ typed: String,
        _ reply: @escaping Reply,
        _ command: @escaping @Sendable (ShownMessage) -> Command
    ) {
        ask(.listPeers, reply) { [self] answer throws(StoreError) in
            guard case .peers(let views) = answer else { return .failure(.unknownMessage) }
            let found = try waiting(views, limit: .max).filter { $0.message.id.text.hasPrefix(typed.lowercased()) }
            guard let item = found.first, typed.utf8.count >= PeerID.shortestPrefix else {
                return .failure(.notWaiting)
            }
            guard found.count == 1 else { return .failure(.severalMessages) }
            inbox.offer(command(item.message)) { [self] result in
                if case .failure(let error) = result {
                    return reply(.failure(ControlError(error) { _ in .init(id: "", displayName: "", trust: .unknown) }))
                }
                give(.find(who: item.peer.record.id.controlID), reply) { [self] answer in
                    guard case .peer(let view) = answer else { return nil }
                    return .message(info(of: item.message, view))
                }
            }
            return nil
        }
    }
}

extension PeerView {
    /// How far first contact has come.
    fileprivate var contact: ContactState {
        switch record.trust {
        case .blocked: .blocked
        case .unknown: record.request == nil ? .open : .requested
        case .accepted, .verified:
            record.answerReceived == nil && record.answerGiven == nil
                && delivery.logs.allSatisfy { $0.delivered.sequence == 0 } ? .waiting : .open
        }
    }
}

extension ControlError {
    fileprivate static let unknownMessage = ControlError(
        .unknownMessage,
        "No message of that ID is in this conversation.",
        advice: "Use an ID, or at least its first \(Store.shortestIDPrefix) characters; to see them: "
            + "parlance history WHO --ids"
    )
    fileprivate static let severalMessages = ControlError(
        .unknownMessage,
        "Several messages have an ID that begins so.",
        advice: "Give more characters of the ID."
    )
    fileprivate static let notWaiting = ControlError(
        .notWaiting,
        "No message of that ID is waiting.",
        advice: "See \"parlance outbox\" for what waits; give at least 8 characters of the ID."
    )
}
