/// The one API of a node for people and programs: everything the control socket, and later the local page, can do.
///
/// The assembly implements it. Nothing here knows the wire format, the store or the engine, and IDs are text.
package protocol NodeControl: Sendable {
    /// Takes one request; must return at once and call `reply` exactly once, later or now, on any thread.
    ///
    /// A connection calls this in the order its requests arrived, from its event loop, so that pipelined sends keep
    /// their order without a task for each. Replies may come in any order.
    func handle(_ request: ControlRequest, reply: @escaping @Sendable (Result<ControlReply, ControlError>) -> Void)

    /// Starts to deliver the events that pass `filter`, in order, on any thread.
    ///
    /// `deliver` returns at once and keeps its own bounded buffer; it may be called before this function returns.
    func subscribe(
        _ filter: SubscriptionFilter,
        deliver: @escaping @Sendable (ControlEvent) -> Void
    ) -> SubscriptionToken

    /// Ends a subscription; an event that is under way may still be delivered, an unknown token is ignored.
    func unsubscribe(_ token: SubscriptionToken)
}

/// Names one subscription at one `NodeControl`.
package struct SubscriptionToken: Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// Which events a subscriber wants; what is absent is not restricted.
package struct SubscriptionFilter: Codable, Equatable, Sendable {
    /// Only these kinds of events.
    package var events: Set<ControlEvent.Kind>?
    /// Only events of this conversation; events that belong to no conversation are left out then.
    package var conversation: String?

    package init(events: Set<ControlEvent.Kind>? = nil, conversation: String? = nil) {
        self.events = events
        self.conversation = conversation
    }

    /// Whether a subscriber with this filter gets the event.
    package func admits(_ event: ControlEvent) -> Bool {
        let kind = event.kind
        if kind == .stopping || kind == .lagged { return true }
        if let events, !events.contains(kind) { return false }
        guard let conversation else { return true }
        return event.conversation == conversation
    }
}
