package import ParlanceControl

/// A method of the control protocol, as the node performs it.
protocol NodeOperation: ControlOperation {
    /// Returns at once and calls `reply` exactly once, now or later, on any thread.
    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<Reply>)
}

extension NodeOperation {
    fileprivate static func add(to methods: inout ControlMethods, of node: LocalControl) {
        methods.add(Self.self) { operation, reply in operation.perform(on: node, reply: reply) }
    }
}

/// Every operation that the node performs. Each file of this folder implements and lists one family of them.
package enum NodeOperations {
    static let all: [any NodeOperation.Type] =
        status + profile + pictures + peers + trust + messages + conversations + search + preferences + clearing
        + outbox + groups
        + workspace
        + config + backup + carry + files + fileList + page + assistant

    /// The same list and what the connection itself performs, for callers that need only the parameters.
    package static var definitions: [any ControlOperation.Type] { all + ControlMethods.ofConnection }

    static func methods(of node: LocalControl) -> ControlMethods {
        var methods = ControlMethods()
        for operation in all { operation.add(to: &methods, of: node) }
        return methods
    }
}
