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

    package init() {}

    /// Adds a method. Each name is added once.
    package mutating func add<Operation: ControlOperation>(
        _ operation: Operation.Type,
        _ perform:
            @escaping @Sendable (Operation, @escaping @Sendable (Result<Operation.Reply, ControlError>) -> Void) -> Void
    ) {
        precondition(readers[operation.method] == nil, "\(operation.method) is added twice")
        names.append(operation.method)
        readers[operation.method] = { params in
            do throws(RPCError) {
                let operation = try Operation(params: params)
                return .success { answer in perform(operation) { reply in answer(reply.map { $0 }) } }
            } catch {
                return .failure(error)
            }
        }
    }

    /// Finds the method of a call and reads its parameters.
    func read(_ call: RPCCall) throws(RPCError) -> Call {
        guard let reader = readers[call.method] else {
            throw .methodNotFound(call.method, known: names + Self.ofConnection.map { $0.method })
        }
        return try reader(call.params).get()
    }
}
