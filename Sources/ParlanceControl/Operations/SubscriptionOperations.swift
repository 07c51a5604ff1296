// Subscriptions, which the connection itself performs (protocol/control.md, "Events").

extension SubscriptionFilter {
    /// Whether a subscriber with this filter gets the event.
    package func admits(_ event: any ControlEvent) -> Bool {
        if event is StoppingEvent || event is LaggedEvent { return true }
        if let events, !events.contains(event.kind) { return false }
        if events == nil, event is AnswerEvent { return false }
        guard let conversation else { return true }
        return event.conversationID == conversation
    }
}
