/// The one API of a node for people and programs: everything that the control socket can do.
///
/// The daemon implements it. Nothing here knows the wire format, the store or the engine, and IDs are text.
package protocol NodeControl: Sendable {
    /// The methods that the node performs; a server asks for them once.
    ///
    /// A method must return at once, and must reply exactly once, now or later, on any thread. A connection calls
    /// methods in the order in which its requests arrived, from its event loop, so that pipelined sends keep their
    /// order without a task for each. Replies may come in any order.
    var methods: ControlMethods { get }

    /// Starts to deliver the events that pass `filter`, in order, on any thread.
    ///
    /// `deliver` returns at once and keeps its own bounded buffer; it may be called before this function returns.
    func subscribe(
        _ filter: SubscriptionFilter,
        deliver: @escaping @Sendable (any ControlEvent) -> Void
    ) -> SubscriptionToken

    /// Ends a subscription. An event under way may still be delivered; an unknown token is ignored.
    func unsubscribe(_ token: SubscriptionToken)

    /// Begins to take what a chat screen or page sees of its user, and what it shows.
    ///
    /// - Returns: takes each report, and `nil` when the face is gone; on any thread.
    func registerClient() -> @Sendable (ClientReport?) -> Void
}

/// What a chat screen or page tells of itself.
package enum ClientReport: Equatable, Sendable {
    case idle(IdleOperation)
    case shows(ShowsOperation)
}

/// Names one subscription at one `NodeControl`.
package struct SubscriptionToken: Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

extension NodeControl {
    /// Performs an operation within this process, as a client would.
    package func call<Operation: ControlOperation>(_ operation: Operation) async throws(ControlError) -> Operation.Reply
    {
        let result: Result<Operation.Reply, ControlError> = await withCheckedContinuation { continuation in
            methods.perform(operation) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }
}
