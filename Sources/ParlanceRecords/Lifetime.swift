package import ParlanceWire

/// For how long messages are to stay in a conversation, as one event says (events.md, "Disappearing messages").
package struct Lifetime: Equatable, Sendable {
    /// What can be said besides 0.
    package static let range = Limits.leastLifetimeSeconds...Limits.lifetimeSeconds

    /// 0: without an end.
    package var seconds: UInt64
    /// The place of the event in the order shown.
    package var effective: UInt64
    package var id: EventID

    package init(seconds: UInt64, effective: UInt64, id: EventID) {
        self.seconds = seconds
        self.effective = effective
        self.id = id
    }
}

/// What the members of a conversation have said about how long its messages stay: the last event of this user that is
/// not void, and the last of anybody else.
package struct LifetimeTerms: Equatable, Sendable {
    package var conversation: ConversationID
    package var own: Lifetime?
    package var others: Lifetime?

    package init(conversation: ConversationID, own: Lifetime? = nil, others: Lifetime? = nil) {
        self.conversation = conversation
        self.own = own
        self.others = others
    }
}
