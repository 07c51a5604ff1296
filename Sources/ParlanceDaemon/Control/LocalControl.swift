import Dispatch
import ParlanceControl
import ParlanceCore
import ParlanceStore
import ParlanceWire

/// The node as people and programs drive it: commands go to the engine through the inbox, reads straight to the store.
final class LocalControl: NodeControl {
    /// Takes the reply to an operation.
    typealias Completion<Value> = @Sendable (Result<Value, ControlError>) -> Void

    let inbox: Inbox
    let store: Store
    let copy: CopyReport
    let hub: EventHub
    let facts: NodeFacts
    /// Where history and lists are read: never on an event loop.
    let reader = DispatchQueue(label: "parlance.control.read", qos: .userInitiated, attributes: .concurrent)

    init(inbox: Inbox, store: Store, copy: CopyReport, hub: EventHub, facts: NodeFacts) {
        self.inbox = inbox
        self.store = store
        self.copy = copy
        self.hub = hub
        self.facts = facts
        // The first that the engine is asked: who is who, before anybody is told of them.
        inbox.offer(.listConversations) { hub.learn((try? $0.get().places) ?? []) }
        hub.onWaiting { [weak self] in self?.tellWaiting($0, $1) }
    }

    /// Tells whoever watches of messages that are shown though they wait.
    private func tellWaiting(_ conversation: ConversationID, _ logs: Set<LogID>) {
        reader.async { [self] in
            let found = (try? readWaiting(conversation, logs)) ?? (messages: [], gone: [])
            // Between the notices of the node: what came meanwhile has been told there.
            inbox.run { [hub] in
                hub.tell(waiting: found.messages, gone: found.gone, in: conversation)
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
        for told in hub.waiting(in: conversation) where !ids.contains(told.id) {
            if try store.message(told, in: conversation) == nil { gone.append(told.id) }
        }
        return (waiting.messages, gone)
    }

    /// Asks who is who, for what is asked next: names and trust change without a notice where somebody else's do.
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

    var methods: ControlMethods { NodeOperations.methods(of: self) }

    // What operations have in common.

    /// Gives a command, and goes on with the view that it answers with, on the node's event loop. An error is the reply.
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

    /// Gives a command, and replies with what is made of the view that it answers with.
    func give<View, Value>(
        _ command: Command,
        _ view: @escaping @Sendable (Answer) -> View?,
        _ reply: @escaping Completion<Value>,
        _ make: @escaping @Sendable (View) -> Value
    ) {
        ask(command, view, reply) { reply(.success(make($0))) }
    }

    /// Gives a command that answers with nothing.
    func give(_ command: Command, _ reply: @escaping Completion<DoneReply>) {
        give(command, \.done, reply) { DoneReply() }
    }

    /// Asks the engine for all conversations, with people and groups, then reads the store.
    func readAll<Value>(
        _ reply: @escaping Completion<Value>,
        _ body: @escaping @Sendable ([Place]) throws(StoreError) -> Result<Value, ControlError>?
    ) {
        ask(.listConversations, \.places, reply) { [self] places in
            hub.learn(places)
            read(reply) { () throws(StoreError) in try body(places) }
        }
    }

    /// Reads the store, on no thread that anybody waits for.
    ///
    /// - Parameter body: gives `nil` if it has passed the reply on.
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

    /// Puts messages of one conversation into words.
    func teller(in conversation: ConversationID, _ places: [Place]) -> MessageTeller {
        MessageTeller(hub: hub, place: places.first { $0.conversation == conversation })
    }

    func explain(_ refusal: Refusal) -> ControlError {
        ControlError(refusal) { candidate in
            switch candidate {
            case .peer(let id):
                ControlError.Candidate(
                    id: id.controlID,
                    displayName: hub.name(of: id),
                    trust: hub.trust(of: id)
                )
            case .group(let id, let title): ControlError.Candidate(id: id.text, displayName: title, trust: nil)
            }
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
