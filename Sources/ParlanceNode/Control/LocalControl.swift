import Dispatch
package import Logging
package import ParlanceAssistant
import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceRecords
package import ParlanceStore
package import ParlanceWeb
import ParlanceWire
import ParlanceWords
import Synchronization

/// The node as clients drive it: commands go to the engine through the inbox, reads go directly to the store.
package final class LocalControl: NodeControl {
    let inbox: Inbox
    let store: Store
    let files: ShelfService
    let copy: CopyReport
    let hub: EventHub
    let facts: NodeFacts
    let host: any NodeHost
    package let assistant: Assistant
    let offers: ModelOffers
    /// Who may open the local page; nil if there is none.
    let page: PageKeys?
    private let logger: Logger
    /// How many faces have reported on their user.
    private let faces = Atomic<UInt64>(0)
    /// Reads history and lists, so that no event loop waits for the store.
    let reader = DispatchQueue(label: "parlance.control.read", attributes: .concurrent)

    package init(
        inbox: Inbox,
        store: Store,
        files: ShelfService,
        copy: CopyReport,
        hub: EventHub,
        facts: NodeFacts,
        host: any NodeHost,
        assistant: Assistant,
        offers: ModelOffers,
        page: PageKeys?,
        logger: Logger
    ) {
        self.inbox = inbox
        self.store = store
        self.files = files
        self.copy = copy
        self.hub = hub
        self.facts = facts
        self.host = host
        self.assistant = assistant
        self.offers = offers
        self.page = page
        self.logger = logger
        hub.setSurroundings { facts.surroundings }
        hub.onWaiting { [weak self] in self?.tellWaiting($0, $1) }
        hub.onDepartures { [weak self] in self?.tellDepartures($0, $1) }
    }

    /// Publishes the lines about people who are no longer members.
    private func tellDepartures(_ conversation: ConversationID, _ events: [EventID]) {
        reader.async { [self] in
            var lines: [ShownMessage] = []
            do throws(StoreError) {
                lines = try store.messages(HistoryOverlay(departures: events), in: conversation)
            } catch {
                readFailed(error)
            }
            inbox.run { [hub, lines] in hub.tell(departures: events, lines) }
        }
    }

    /// Publishes messages that are shown while they wait for what they refer to.
    private func tellWaiting(_ conversation: ConversationID, _ logs: Set<LogID>) {
        reader.async { [self] in
            var found: (messages: [ShownMessage], gone: [EventID]) = ([], [])
            do throws(StoreError) {
                found = try readWaiting(conversation, logs)
            } catch {
                // The reading ends all the same, so that the next one begins.
                readFailed(error)
            }
            // Run in order with the node's notices: they have already published what was projected in the meantime.
            inbox.run { [hub, found] in
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

    func subscribe(
        _ filter: SubscriptionFilter,
        deliver: @escaping @Sendable (any ControlEvent) -> Void
    ) -> SubscriptionToken {
        hub.subscribe(filter, deliver)
    }

    func unsubscribe(_ token: SubscriptionToken) {
        hub.unsubscribe(token)
    }

    func registerClient() -> @Sendable (ClientReport?) -> Void {
        let number = faces.add(1, ordering: .relaxed).newValue
        return { [inbox, host] report in
            switch report {
            case .idle(let report): inbox.offer(.userSeen(UserSight(report, .now()), by: .face(number)))
            case .shows(let report): host.shows(report.conversation, client: number)
            case nil:
                inbox.offer(.userSeen(nil, by: .face(number)))
                host.shows(nil, client: number)
            }
        }
    }

    var methods: ControlMethods { NodeOperations.methods(of: self) }

    // Helpers of the operations.

    /// Gives a command and returns the view in its answer. A command is given before anything is awaited, so commands come
    /// in the order in which operations begin.
    func ask<View: Sendable>(
        _ command: Command,
        _ view: @Sendable (Answer) -> View?
    ) async throws(ControlError) -> View {
        try self.view(view, in: await result(of: command)).get()
    }

    /// The view in an answer, or why there is none.
    func view<View>(
        _ view: (Answer) -> View?,
        in result: Result<Answer, Refusal>
    ) -> Result<View, ControlError> {
        result.mapError(explain).flatMap { answer in
            if let found = view(answer) { return .success(found) }
            logger.error("The engine's answer does not fit the command")
            return .failure(.defect)
        }
    }

    /// Gives a command and returns its answer.
    func result(of command: Command) async -> Result<Answer, Refusal> {
        await withCheckedContinuation { continuation in
            inbox.offer(command) { continuation.resume(returning: $0) }
        }
    }

    /// Gives a command whose answer is empty.
    func give(_ command: Command) async throws(ControlError) -> DoneReply {
        try await ask(command, \.done)
        return DoneReply()
    }

    /// All conversations, with their peers and groups.
    func places() async throws(ControlError) -> [Place] { try await ask(.listConversations, \.places) }

    /// Reads the store on a queue of its own, so that no event loop and no task waits for the disk.
    ///
    /// - Parameters:
    ///   - queue: another queue than that of short reads.
    ///   - body: throws a `StoreError`, or the `ControlError` that the client is to get.
    func read<Value: Sendable>(
        on queue: DispatchQueue? = nil,
        _ body: @escaping @Sendable () throws -> Value
    ) async throws(ControlError) -> Value {
        let result: Result<Value, ControlError> = await withCheckedContinuation { continuation in
            (queue ?? reader).async { [self] in continuation.resume(returning: outcome(of: body)) }
        }
        return try result.get()
    }

    /// The client is told what to do about an error of the store; the log has its cause.
    private func outcome<Value>(of body: () throws -> Value) -> Result<Value, ControlError> {
        do {
            return .success(try body())
        } catch let error as ControlError {
            return .failure(error)
        } catch let error as StoreError {
            readFailed(error)
            return .failure(ControlError(.storeFailed, error.message, advice: error.advice))
        } catch {
            logger.error("A request failed by a defect of this program", metadata: ["error": "\(error)"])
            return .failure(.defect)
        }
    }

    /// What is still asked for while the node stops is not an error.
    private func readFailed(_ error: StoreError) {
        guard error.code != .closed else { return }
        logger.error("The store could not be read", metadata: ["error": "\(error)"])
    }

    /// Describes the messages of one conversation.
    func teller(in conversation: ConversationID, _ places: [Place]) -> MessageTeller {
        MessageTeller(hub: hub, place: places.first { $0.conversation == conversation }, cutOff: facts.cutOff())
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
        } else {
            let near = hub.nearestNames(to: NameText.plain(typed), kind).map { NameText.plain($0) }
            if !near.isEmpty { error.advice = Phrase("Did you mean \(PeopleText.any(quoting: near))? \(error.advice)") }
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
                if hub.directory[id]?.alias != nil { found.aliased = true }
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
