// Subscriptions, which the connection itself performs (protocol/control.md, "Events").

/// `subscribe`: which events a subscriber wants; an absent property does not restrict them, but `answer`
/// comes only to those who name it.
package struct SubscriptionFilter: ControlOperation {
    package typealias Reply = SubscriptionReference
    package static let method = "subscribe"

    /// Only these kinds of events.
    package var events: Set<ControlEventKind>?
    /// Only events of this conversation, and none that belong to no conversation.
    package var conversation: String?

    package init(events: Set<ControlEventKind>? = nil, conversation: String? = nil) {
        self.events = events
        self.conversation = conversation
    }

    /// Whether a subscriber with this filter gets the event.
    package func admits(_ event: any ControlEvent) -> Bool {
        if event is StoppingEvent || event is LaggedEvent { return true }
        if let events, !events.contains(event.kind) { return false }
        if events == nil, event is AnswerEvent { return false }
        guard let conversation else { return true }
        return event.conversationID == conversation
    }
}

/// `unsubscribe`: one subscription of one connection. It is also the result of `subscribe`.
package struct SubscriptionReference: ControlOperation {
    package typealias Reply = DoneReply
    package static let method = "unsubscribe"

    package var subscription: Int

    package init(subscription: Int) {
        self.subscription = subscription
    }
}
