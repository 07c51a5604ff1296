package import ParlanceControl

/// A method of the control protocol, as the node performs it.
protocol NodeOperation: ControlOperation {
    /// Begins on the thread of its caller, and gives its first command before it awaits anything: so the commands of one
    /// connection come in the order of its requests.
    func perform(on node: LocalControl) async throws(ControlError) -> Reply

    /// Adds the method to those of a node.
    static func add(to methods: inout ControlMethods, of node: LocalControl)
}

extension NodeOperation {
    package static func add(to methods: inout ControlMethods, of node: LocalControl) {
        methods.add(Self.self, awaiting: { operation throws(ControlError) in try await operation.perform(on: node) })
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
