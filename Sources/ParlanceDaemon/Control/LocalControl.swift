import Dispatch
import ParlanceAssistant
import ParlanceControl
import ParlanceCore
import ParlanceRecords
import ParlanceStore
import ParlanceWeb
import ParlanceWire
import ParlanceWords
import Synchronization

/// The node as clients drive it: commands go to the engine through the inbox, reads go directly to the store.
final class LocalControl: NodeControl {
    /// Receives the result of an operation.
    typealias Completion<Value> = @Sendable (Result<Value, ControlError>) -> Void

    let inbox: Inbox
    let store: Store
    let files: ShelfService
    let copy: CopyReport
    let hub: EventHub
    let facts: NodeFacts
    let reload: ReloadService
    let hooks: HookService
    let notifications: NotificationService
    let assistant: Assistant
    let offers: ModelOffers
    /// Who may open the local page; nil if there is none.
    let page: PageKeys?
    /// How many faces have reported on their user.
    private let faces = Atomic<UInt64>(0)
    /// Reads history and lists, so that no event loop waits for the store.
    let reader = DispatchQueue(label: "parlance.control.read", attributes: .concurrent)

    init(
        inbox: Inbox,
        store: Store,
        files: ShelfService,
        copy: CopyReport,
        hub: EventHub,
        facts: NodeFacts,
        reload: ReloadService,
        hooks: HookService,
        notifications: NotificationService,
        assistant: Assistant,
        offers: ModelOffers,
        page: PageKeys?
    ) {
        self.inbox = inbox
        self.store = store
        self.files = files
        self.copy = copy
        self.hub = hub
        self.facts = facts
        self.reload = reload
        self.hooks = hooks
        self.notifications = notifications
        self.assistant = assistant
        self.offers = offers
        self.page = page
        // The first command of all: learn the names before any event needs them.
        inbox.offer(.listConversations) { hub.learn((try? $0.get().places) ?? []) }
        inbox.offer(.transfers) { for view in (try? $0.get().transfers)?.files ?? [] { hub.transfers.learn(view) } }
        hub.onWaiting { [weak self] in self?.tellWaiting($0, $1) }
    }

    /// Publishes messages that are shown while they wait for what they refer to.
    private func tellWaiting(_ conversation: ConversationID, _ logs: Set<LogID>) {
        reader.async { [self] in
            let found = (try? readWaiting(conversation, logs)) ?? (messages: [], gone: [])
            // Run in order with the node's notices: they have already published what was projected in the meantime.
            inbox.run { [hub] in
                hub.tell(waiting: found.messages, gone: found.gone, in: conversation)
            }
        }
    }

    /// Reads the messages that are shown while they wait, and those shown before that will never be projected.
    private func readWaiting(
        _ conversation: ConversationID,
        _ logs: Set<LogID>
    ) throws(StoreError) -> (messages: [ShownMessage], gone: [EventID]) {
        let waiting = try store.waitingMessages(of: logs, in: conversation)
        guard waiting.isWhole else { return (waiting.messages, []) }
        let ids = Set(waiting.messages.map(\.id))
        var gone: [EventID] = []
        // A message that was projected in the meantime is in the store, whether or not its notice was published.
        for told in hub.waiting(in: conversation) where !ids.contains(told.id) {
            if try store.message(told, in: conversation) == nil { gone.append(told.id) }
        }
        return (waiting.messages, gone)
    }

    /// Refreshes names and trust for the next reads. Nothing tells of a person who joined a group and left it within one
    /// batch.
    func learnPeople() {
        inbox.offer(.listPeers) { [hub] in
            hub.learn((try? $0.get().peers)?.map { .peer($0) } ?? [])
        }
    }

    func subscribe(
        _ filter: SubscriptionFilter,
        deliver: @escaping @Sendable (any ControlEvent) -> Void
    ) -> SubscriptionToken {
        hub.subscribe(filter, deliver)
    }

    func unsubscribe(_ token: SubscriptionToken) {
        hub.unsubscribe(token)
    }

    func openFace() -> @Sendable (FaceReport?) -> Void {
        let number = faces.add(1, ordering: .relaxed).newValue
        return { [inbox, desk = notifications.desk] report in
            switch report {
            case .idle(let report): inbox.offer(.userSeen(UserSight(report, .now()), by: .face(number)))
            case .shows(let report): desk.shows(report.conversation, face: number)
            case nil:
                inbox.offer(.userSeen(nil, by: .face(number)))
                desk.shows(nil, face: number)
            }
        }
    }

    var methods: ControlMethods { NodeOperations.methods(of: self) }

    // Helpers of the operations.

    /// Gives a command and passes the view in its answer to `body`, on the node's event loop. If the command fails,
    /// replies with the error.
    func ask<View, Value>(
        _ command: Command,
        _ view: @escaping @Sendable (Answer) -> View?,
        _ reply: @escaping Completion<Value>,
        _ body: @escaping @Sendable (View) -> Void
    ) {
        inbox.offer(command) { [self] result in
            switch result {
            case .success(let answer): view(answer).map(body) ?? reply(.failure(.defect))
            case .failure(let error): reply(.failure(explain(error)))
            }
        }
    }

    /// Gives a command and replies with the value that `make` builds from the view in its answer.
    func give<View, Value>(
        _ command: Command,
        _ view: @escaping @Sendable (Answer) -> View?,
        _ reply: @escaping Completion<Value>,
        _ make: @escaping @Sendable (View) -> Value
    ) {
        ask(command, view, reply) { reply(.success(make($0))) }
    }

    /// Gives a command whose answer is empty.
    func give(_ command: Command, _ reply: @escaping Completion<DoneReply>) {
        give(command, \.done, reply) { DoneReply() }
    }

    /// Asks the engine for all conversations, with their peers and groups, then reads the store.
    func readAll<Value>(
        _ reply: @escaping Completion<Value>,
        _ body: @escaping @Sendable ([Place]) throws(StoreError) -> Result<Value, ControlError>?
    ) {
        ask(.listConversations, \.places, reply) { [self] places in
            hub.learn(places)
            read(reply) { () throws(StoreError) in try body(places) }
        }
    }

    /// Reads the store on a queue of its own, so that no event loop waits.
    ///
    /// - Parameter body: returns `nil` if it passed `reply` on to another call.
    func read<Value>(
        _ reply: @escaping Completion<Value>,
        _ body: @escaping @Sendable () throws(StoreError) -> Result<Value, ControlError>?
    ) {
        reader.async {
            do throws(StoreError) {
                if let result = try body() { reply(result) }
            } catch {
                reply(.failure(ControlError(.storeFailed, error.message, advice: error.advice)))
            }
        }
    }

    /// Describes the messages of one conversation.
    func teller(in conversation: ConversationID, _ places: [Place]) -> MessageTeller {
        MessageTeller(hub: hub, place: places.first { $0.conversation == conversation })
    }

    /// Describes a refusal; for a name that nobody has, says how a group of that title is called now, or suggests the
    /// nearest one.
    func explain(_ refusal: Refusal) -> ControlError {
        var error = describe(refusal)
        guard let (typed, kind) = refusal.unknownName else { return error }
        if kind != .person, let title = hub.presentTitle(of: typed) {
            error.advice = Phrase("The group \"\(typed)\" is now called \"\(NameText.plain(title))\". \(error.advice)")
        } else if kind != .group, let known = hub.knownName(ofOneWhoGoesBy: typed) {
            let who = NameText.plain(known)
            error.advice = Phrase("\(who) now goes by \"\(typed)\" and is still called \(who) here. \(error.advice)")
        } else if let near = hub.nearestName(to: NameText.plain(typed), kind) {
            error.advice = Phrase("Did you mean \"\(NameText.plain(near))\"? \(error.advice)")
        }
        return error
    }

    private func describe(_ refusal: Refusal) -> ControlError {
        ControlError(refusal) { candidate in
            switch candidate {
            case .peer(let id):
                var found = ControlError.Candidate(
                    id: id.controlID,
                    displayName: hub.name(of: id),
                    trust: hub.trust(of: id)
                )
                if hub.knownPeers[id]?.alias != nil { found.aliased = true }
                return found
            case .group(let id, let title): return ControlError.Candidate(id: id.text, displayName: title, trust: nil)
            }
        }
    }
}

extension Refusal {
    /// The typed name, if nobody and no group has it, and what the command takes.
    fileprivate var unknownName: (String, EventHub.Named)? {
        switch self {
        case .naming(.unknownPeer(let typed, let orGroup)): (typed, orGroup ? .conversation : .person)
        case .naming(.unknownGroup(let typed)): (typed, .group)
        default: nil
        }
    }
}

extension ControlError {
    /// The engine's answer does not fit the command: a defect, reported as such.
    static let defect = ControlError(
        .internalError,
        "The node gave an answer that does not fit the request.",
        advice: "This is a defect of Parlance: please report it with the daemon's log."
    )
}
