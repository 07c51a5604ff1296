import Dispatch
import ParlanceControl
import ParlanceCore
import ParlanceStore
import ParlanceWire

/// The node as people and programs drive it: commands go to the engine through the inbox, reads straight to the store.
final class LocalControl: NodeControl {
    typealias Reply = @Sendable (Result<ControlReply, ControlError>) -> Void

    let inbox: Inbox
    let store: Store
    let copy: CopyReport
    let newsroom: Newsroom
    let facts: NodeFacts
    /// Where history and lists are read: never on the node's queue or an event loop.
    let reader = DispatchQueue(label: "parlance.control.read", qos: .userInitiated, attributes: .concurrent)

    init(inbox: Inbox, store: Store, copy: CopyReport, newsroom: Newsroom, facts: NodeFacts) {
        self.inbox = inbox
        self.store = store
        self.copy = copy
        self.newsroom = newsroom
        self.facts = facts
        // The first that the engine is asked: who is who, before anybody is told of them.
        learnPeople()
        inbox.offer(.listGroups) { if case .success(let answer) = $0 { newsroom.learn(answer) } }
        newsroom.onWaiting { [weak self] in self?.tellWaiting($0, $1) }
    }

    /// Tells whoever watches of messages that are shown though they wait.
    private func tellWaiting(_ conversation: ConversationID, _ logs: Set<LogID>) {
        reader.async { [self] in
            let found = (try? readWaiting(conversation, logs)) ?? (messages: [], gone: [])
            // On the node's queue, between its notices: what came meanwhile has been told there.
            inbox.offer(.showProfile) { [newsroom] _ in
                newsroom.tell(waiting: found.messages, gone: found.gone, in: conversation)
            }
        }
    }

    /// The messages that are shown though they wait, and those that were and will never stand in their places.
    private func readWaiting(
        _ conversation: ConversationID,
        _ logs: Set<LogID>
    ) throws(StoreError) -> (messages: [ShownMessage], gone: [EventID]) {
        let waiting = try store.waitingMessages(of: logs, in: conversation)
        guard waiting.isWhole else { return (waiting.messages, []) }
        let ids = Set(waiting.messages.map(\.id))
        var gone: [EventID] = []
        // What has come in the meantime is there, whether or not that has been told.
        for told in newsroom.waiting(in: conversation) where !ids.contains(told.id) {
            if try store.message(told, in: conversation) == nil { gone.append(told.id) }
        }
        return (waiting.messages, gone)
    }

    /// Asks who is who, for what is asked next: names and trust change without a notice where somebody else's do.
    func learnPeople() {
        inbox.offer(.listPeers) { [newsroom] in if case .success(let answer) = $0 { newsroom.learn(answer) } }
    }

    func subscribe(
        _ filter: SubscriptionFilter,
        deliver: @escaping @Sendable (ControlEvent) -> Void
    ) -> SubscriptionToken {
        newsroom.subscribe(filter, deliver)
    }

    func unsubscribe(_ token: SubscriptionToken) {
        newsroom.unsubscribe(token)
    }

    func handle(_ request: ControlRequest, reply: @escaping Reply) {
        switch request {
        case .send(let send): self.send(send, reply)
        case .status: status(reply)
        case .identity:
            reply(
                .success(.identity(IdentityInfo(id: store.identity.controlID, name: newsroom.name(of: store.identity))))
            )
        case .passphrase(let request): passphrase(request, reply)
        case .name(let name): self.name(name, reply)
        case .alias(let alias): setAlias(alias, reply)
        case .forget(let who): give(.forget(who: who.who), reply) { _ in .done }
        case .peers: peers(reply)
        case .requests, .accept, .decline, .block, .unblock, .verify: handleTrust(request, reply)
        case .courier(let courier):
            changePeer(.setCourier(who: courier.who, courier.remove != true), courier.who, reply)
        case .conversations: conversations(reply)
        case .history(let history): self.history(history, reply)
        case .read(let who): read(who.who, reply)
        case .outbox: outbox(reply)
        case .outboxRetry(let item): retry(item.id, reply)
        case .outboxCancel(let item): cancel(item.id, reply)
        case .presence(let presence): self.presence(presence, reply)
        case .typing(let who): give(.typing(who: who.who), reply) { _ in .done }
        case .reply, .edit, .delete, .react, .info: handleMessage(request, reply)
        case .doctor(let request): doctor(request.who, reply)
        case .workspaceCreate, .workspaceJoin, .workspaceShow, .workspaceLeave, .workspaceRotate:
            handleWorkspace(request, reply)
        default: handleGroup(request, reply)
        }
    }

    /// Requests about one message.
    private func handleMessage(_ request: ControlRequest, _ reply: @escaping Reply) {
        switch request {
        case .reply(let answer): replyTo(answer, reply)
        case .edit(let edit): self.edit(edit, reply)
        case .delete(let message): delete(message.id, reply)
        case .react(let reaction): react(reaction, reply)
        case .info(let message): info(message.id, reply)
        default: reply(.failure(.defect))
        }
    }

    /// Requests about one group.
    private func handleGroup(_ request: ControlRequest, _ reply: @escaping Reply) {
        switch request {
        case .groupCreate(let group): createGroup(group, reply)
        case .groupShow(let group): showGroup(group.group, reply)
        case .groupAdd(let people): change(people.group, .add(people.who), reply)
        case .groupRemove(let people): change(people.group, .remove(people.who), reply)
        case .groupAdmin(let people):
            change(people.group, people.remove == true ? .dismiss(people.who) : .appoint(people.who), reply)
        case .groupLeave(let group): change(group.group, .leave, reply)
        case .groupRename(let group): change(group.group, .rename(group.title), reply)
        case .groupTopic(let group): topic(group, reply)
        default: reply(.failure(.defect))
        }
    }

    // The shapes that every request has.

    /// Gives a command and answers with what it came to.
    func give(
        _ command: Command,
        _ reply: @escaping Reply,
        _ answer: @escaping @Sendable (Answer) -> ControlReply?
    ) {
        inbox.offer(command) { [self] in give($0, reply, answer) }
    }

    /// Answers with what a command came to.
    func give(
        _ result: Result<Answer, CommandError>,
        _ reply: Reply,
        _ answer: (Answer) -> ControlReply?
    ) {
        switch result {
        case .success(let value): reply(answer(value).map { .success($0) } ?? .failure(.defect))
        case .failure(let error): reply(.failure(explain(error)))
        }
    }

    /// Asks the engine, then reads the store, off both the engine's queue and the event loop.
    ///
    /// - Parameter body: gives `nil` if it has passed the reply on.
    func ask(
        _ command: Command,
        _ reply: @escaping Reply,
        _ body: @escaping @Sendable (Answer) throws(StoreError) -> Result<ControlReply, ControlError>?
    ) {
        inbox.offer(command) { [self] result in
            switch result {
            case .success(let value): read(reply) { () throws(StoreError) in try body(value) }
            case .failure(let error): reply(.failure(explain(error)))
            }
        }
    }

    /// Asks the engine for all conversations, with people and groups, then reads the store.
    func askAll(
        _ reply: @escaping Reply,
        _ body: @escaping @Sendable ([Place]) throws(StoreError) -> Result<ControlReply, ControlError>?
    ) {
        inbox.offer(.listPeers) { [self] peers in
            inbox.offer(.listGroups) { [self] groups in
                switch (peers, groups) {
                case (.success(let peers), .success(let groups)):
                    newsroom.learn(peers)
                    newsroom.learn(groups)
                    read(reply) { () throws(StoreError) in try body(Place.all([peers, groups])) }
                case (.failure(let error), _), (_, .failure(let error)): reply(.failure(explain(error)))
                }
            }
        }
    }

    /// Reads the store off the caller's thread.
    func read(
        _ reply: @escaping Reply,
        _ body: @escaping @Sendable () throws(StoreError) -> Result<ControlReply, ControlError>?
    ) {
        reader.async {
            do throws(StoreError) {
                if let result = try body() { reply(result) }
            } catch {
                reply(.failure(ControlError(.storeFailed, error.message, advice: error.advice)))
            }
        }
    }

    /// Puts messages of one conversation into words.
    func teller(in conversation: ConversationID, _ places: [Place]) -> MessageTeller {
        MessageTeller(newsroom: newsroom, place: places.first { $0.conversation == conversation })
    }

    func explain(_ error: CommandError) -> ControlError {
        ControlError(error) { candidate in
            switch candidate {
            case .peer(let id):
                ControlError.Candidate(
                    id: id.controlID,
                    displayName: newsroom.name(of: id),
                    trust: newsroom.trust(of: id)
                )
            case .group(let id, let title): ControlError.Candidate(id: id.text, displayName: title, trust: nil)
            }
        }
    }

    // Requests that one command answers.

    private func send(_ send: SendRequest, _ reply: @escaping Reply) {
        give(.send(who: send.who, text: send.text), reply) { answer in
            guard case .sent(let sent) = answer else { return nil }
            return .sent(SendReply(sent))
        }
    }

    private func name(_ request: NameRequest, _ reply: @escaping Reply) {
        guard let name = request.name else {
            return reply(.success(.name(NameReply(name: newsroom.name(of: store.identity)))))
        }
        give(.setName(name), reply) { [newsroom, store] _ in .name(NameReply(name: newsroom.name(of: store.identity))) }
    }

    private func setAlias(_ alias: AliasRequest, _ reply: @escaping Reply) {
        inbox.offer(.find(who: alias.who)) { [self] result in
            guard case .success(.peer(let view)) = result else {
                return give(.find(who: alias.who), reply) { _ in nil }
            }
            changePeer(.setAlias(who: alias.who, alias: alias.name), view.record.id.controlID, reply)
        }
    }

    /// Gives a command about a peer and answers with the peer as it is then.
    func changePeer(_ command: Command, _ who: String, _ reply: @escaping Reply) {
        inbox.offer(.find(who: who)) { [self] found in
            guard case .success(.peer(let view)) = found else { return give(.find(who: who), reply) { _ in nil } }
            inbox.offer(command) { [self] result in
                if case .failure(let error) = result { return reply(.failure(explain(error))) }
                ask(.find(who: view.record.id.controlID), reply) { [store] answer throws(StoreError) in
                    guard case .peer(let now) = answer else { return .failure(.defect) }
                    let summary = try store.conversations().first { $0.record.id == now.conversation }
                    var info = PeerInfo(now, unread: summary?.unread ?? 0, now: .now())
                    // A newcomer that is accepted has the name it asked for: the last moment to say whose else it is.
                    info.warning = info.warning ?? view.warning
                    return .success(.peer(info))
                }
            }
        }
    }

    private func presence(_ request: PresenceRequest, _ reply: @escaping Reply) {
        let activity: Activity? =
            switch request.state {
            case .online: .online
            case .away: .away
            case .busy: .busy
            case .offline, nil: nil
            }
        guard request.state != .offline else {
            return reply(
                .failure(
                    ControlError(
                        .invalidValue,
                        "Presence cannot be set to offline while the daemon runs.",
                        advice: "Use away or busy, or stop the daemon."
                    )
                )
            )
        }
        give(.setPresence(activity, text: request.text), reply) { answer in
            guard case .profile(let profile) = answer else { return nil }
            return .presence(OwnPresence(profile))
        }
    }
}

extension ControlError {
    /// The engine answered with something else than was asked: a defect, told as such.
    static let defect = ControlError(
        .internalError,
        "The node gave an answer that does not fit the request.",
        advice: "This is a defect of Parlance: please report it with the daemon's log."
    )
}

extension OwnPresence {
    init(_ profile: ProfileRecord) {
        self.init(state: PresenceState(profile.activity), text: profile.statusText.isEmpty ? nil : profile.statusText)
    }
}
