import ParlanceErrorCode
import ParlanceWords

/// The methods that a node performs, by their names.
package struct ControlMethods: Sendable {
    /// A node's answer: the reply of the operation, or why the node refused it.
    package typealias Answer = Result<any Encodable & Sendable, ControlError>
    /// A parsed call; performing it returns at once, and calls its argument exactly once, on any thread.
    typealias Call = @Sendable (@escaping @Sendable (Answer) -> Void) -> Void

    /// What the connection itself performs, for every node.
    package static let ofConnection: [any ControlOperation.Type] = [
        SubscriptionFilter.self, SubscriptionReference.self, IdleOperation.self, ShowsOperation.self,
        LanguageOperation.self,
    ]

    /// The names, in the order in which they were added.
    package private(set) var names: [String] = []
    private var readers: [String: @Sendable (JSON?) -> Result<Call, RPCError>] = [:]
    /// What `add` was given, a `Performer`.
    private var performers: [String: any Sendable] = [:]

    /// Performs an operation and replies once.
    package typealias Performer<Operation: ControlOperation> =
        @Sendable (Operation, @escaping @Sendable (Result<Operation.Reply, ControlError>) -> Void) -> Void

    package init() {}

    /// Adds a method. Each name is added once.
    package mutating func add<Operation: ControlOperation>(
        _ operation: Operation.Type,
        awaiting perform: @escaping @Sendable (Operation) async throws(ControlError) -> Operation.Reply
    ) {
        add(operation) { operation, reply in
            Self.begin(reply) { () async throws(ControlError) in try await perform(operation) }
        }
    }

    /// Begins work on the thread of its caller, up to where it first waits: what a connection asks for thus begins in the
    /// order of its requests. The children of a task group would begin in any order.
    ///
    /// - Parameter reply: called once, on any thread.
    package static func begin<Reply: Sendable>(
        _ reply: @escaping @Sendable (Result<Reply, ControlError>) -> Void,
        _ work: @escaping @Sendable () async throws(ControlError) -> Reply
    ) {
        Task.immediate {
            do throws(ControlError) {
                reply(.success(try await work()))
            } catch {
                reply(.failure(error))
            }
        }
    }

    /// Adds a method that returns at once and calls its reply once, now or later, on any thread: for what comes so often
    /// that a task for each would be felt.
    package mutating func add<Operation: ControlOperation>(
        _ operation: Operation.Type,
        _ perform: @escaping Performer<Operation>
    ) {
        precondition(readers[operation.method] == nil, "\(operation.method) is added twice")
        names.append(operation.method)
        performers[operation.method] = perform
        readers[operation.method] = { params in
            do throws(RPCError) {
                let operation = try Operation(params: params)
                return .success { answer in perform(operation) { reply in answer(reply.map { $0 }) } }
            } catch {
                return .failure(error)
            }
        }
    }

    /// Performs an operation that was not read from JSON.
    func perform<Operation: ControlOperation>(
        _ operation: Operation,
        _ reply: @escaping @Sendable (Result<Operation.Reply, ControlError>) -> Void
    ) {
        guard let perform = performers[Operation.method] as? Performer<Operation> else {
            return reply(.failure(.notPerformed))
        }
        perform(operation, reply)
    }

    /// Finds the method of a call and reads its parameters.
    func read(_ call: RPCCall) throws(RPCError) -> Call {
        guard let reader = readers[call.method] else {
            throw .methodNotFound(call.method, known: names + Self.ofConnection.map { $0.method })
        }
        return try reader(call.params).get()
    }
}

extension ControlError {
    /// The node does not perform the operation: a defect, since nobody has typed its name.
    fileprivate static let notPerformed = ControlError(
        .internalError,
        "The node does not do this.",
        advice: "This is a defect of Parlance: please report it with the daemon's log."
    )
}
