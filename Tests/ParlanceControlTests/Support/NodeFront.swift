import ParlanceNode
import Synchronization
import Testing

@testable import ParlanceControl

/// Stands in front of a node: it notes what is asked, and holds back, changes or adds to what the node says.
final class NodeFront: NodeControl {
    /// What is said instead of a result.
    private typealias Change<Operation: ControlOperation> =
        @Sendable (Operation, Result<Operation.Reply, ControlError>) -> Result<Operation.Reply, ControlError>
    /// What becomes of a text in a reply, by the name of its member.
    typealias Spoil = @Sendable (_ member: String, _ text: String) -> String

    private struct State {
        var asked: [any ControlOperation] = []
        /// The results by methods, in their order.
        var results: [String: [any Sendable]] = [:]
        var changes: [String: any Sendable] = [:]
        var spoil: Spoil?
        var isReplaying = false
        var isHolding = false
        var held: [@Sendable () -> Void] = []
        var subscribers: [SubscriptionToken: (SubscriptionFilter, @Sendable (any ControlEvent) -> Void)] = [:]
        var reports: [ClientReport?] = []
    }

    private let node: any NodeControl
    private let own: ControlMethods
    private let state = Mutex(State())

    init(_ node: any NodeControl) {
        (self.node, own) = (node, node.methods)
    }

    /// Every operation that a node performs itself.
    static var operations: [any ControlOperation.Type] {
        let ofConnection = Set(ControlMethods.ofConnection.map { $0.method })
        return NodeOperations.definitions.filter { !ofConnection.contains($0.method) }
    }

    var methods: ControlMethods {
        var methods = ControlMethods()
        for operation in Self.operations { add(operation, to: &methods) }
        return methods
    }

    private func add<Operation: ControlOperation>(_ type: Operation.Type, to methods: inout ControlMethods) {
        typealias Outcome = Result<Operation.Reply, ControlError>
        methods.add(type) { [self] operation, reply in
            let (change, old): (Change<Operation>?, Outcome?) = state.withLock { state in
                state.asked.append(operation)
                let isKnown = state.isReplaying && state.results[Operation.method]?.isEmpty == false
                let old = isKnown ? state.results[Operation.method]?.removeFirst() : nil
                // It may be replayed again.
                if let old { state.results[Operation.method]?.append(old) }
                return (state.changes[Operation.method] as? Change<Operation>, old as? Outcome)
            }
            if let old { return give { [self] in reply(old.map { spoilt($0) }) } }
            own.perform(operation) { [self] result in
                let result = change?(operation, result) ?? result
                state.withLock { $0.results[Operation.method, default: []].append(result) }
                give { [self] in reply(result.map { spoilt($0) }) }
            }
        }
    }

    private func spoilt<Reply: Codable>(_ reply: Reply) -> Reply {
        guard let spoil = state.withLock({ $0.spoil }) else { return reply }
        func spoilt(_ value: JSON, _ member: String) -> JSON {
            switch value {
            case .string(let text): .string(spoil(member, text))
            case .array(let all): .array(all.map { spoilt($0, member) })
            case .object(let members): .object(members.map { JSON.Member($0.key, spoilt($0.value, $0.key)) })
            default: value
            }
        }
        do {
            let json = spoilt(try JSONValueEncoder.encode(reply), "")
            return try JSONValueDecoder.decode(Reply.self, from: json, name: "the reply", strict: false)
        } catch {
            Issue.record("\(Reply.self): \(error)")
            return reply
        }
    }

    private func give(_ answer: @escaping @Sendable () -> Void) {
        let isHeld = state.withLock { state in
            if state.isHolding { state.held.append(answer) }
            return state.isHolding
        }
        if !isHeld { answer() }
    }

    // What was asked.

    /// How often the node was asked.
    var handled: Int { state.withLock { $0.asked.count } }
    /// The methods that were called.
    var called: Set<String> { Set(state.withLock { $0.asked }.map { type(of: $0).method }) }
    var subscriberCount: Int { state.withLock { $0.subscribers.count } }
    /// What faces have reported, and that they are gone.
    var reports: [ClientReport?] { state.withLock { $0.reports } }

    /// The operations of one method, in their order.
    func asked<Operation: ControlOperation>(_ type: Operation.Type) -> [Operation] {
        state.withLock { $0.asked }.compactMap { $0 as? Operation }
    }

    /// Forgets what was asked, and spoils texts from now on.
    ///
    /// - Parameter replays: whether the replies since the last call are given once more, each instead of a new one.
    func spoil(replays: Bool = false, _ spoil: @escaping Spoil) {
        state.withLock { state in
            if !replays { state.results = [:] }
            (state.asked, state.spoil, state.isReplaying) = ([], spoil, replays)
        }
    }

    // What is said.

    /// Holds all replies back until `release`.
    func hold() { state.withLock { $0.isHolding = true } }

    func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            state.isHolding = false
            return state.held
        }
        for answer in held { answer() }
    }

    /// Changes the replies of one method from now on.
    func change<Operation: ControlOperation>(
        _ type: Operation.Type,
        _ change: @escaping @Sendable (inout Operation.Reply) -> Void
    ) {
        answer(type) { _, result in
            result.map { reply in
                var reply = reply
                change(&reply)
                return reply
            }
        }
    }

    /// Answers something else than the node, which is asked all the same.
    func answer<Operation: ControlOperation>(
        _ type: Operation.Type,
        _ answer:
            @escaping @Sendable (Operation, Result<Operation.Reply, ControlError>)
            -> Result<Operation.Reply, ControlError>
    ) {
        state.withLock { $0.changes[Operation.method] = answer as Change<Operation> }
    }

    /// Answers as the node does again.
    func leave<Operation: ControlOperation>(_ type: Operation.Type) {
        state.withLock { $0.changes[Operation.method] = nil }
    }

    /// Tells an event that did not happen.
    func emit(_ event: any ControlEvent) {
        let subscribers = state.withLock { Array($0.subscribers.values) }
        for (filter, deliver) in subscribers where filter.admits(event) { deliver(event) }
    }

    func subscribe(
        _ filter: SubscriptionFilter,
        deliver: @escaping @Sendable (any ControlEvent) -> Void
    ) -> SubscriptionToken {
        let token = node.subscribe(filter, deliver: deliver)
        state.withLock { $0.subscribers[token] = (filter, deliver) }
        return token
    }

    func unsubscribe(_ token: SubscriptionToken) {
        node.unsubscribe(token)
        state.withLock { $0.subscribers[token] = nil }
    }

    func registerClient() -> @Sendable (ClientReport?) -> Void {
        let report = node.registerClient()
        return { [self] told in
            state.withLock { $0.reports.append(told) }
            report(told)
        }
    }
}
