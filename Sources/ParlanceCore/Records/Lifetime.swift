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

    fileprivate var milliseconds: Int64 { Int64(clamping: seconds) * 1_000 }
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

    /// The age in milliseconds at which messages disappear; `nil` if they stay. In a group the last event counts, which is by
    /// an admin. In a direct conversation both people must want it, and the longer time counts.
    package func agreed(isGroup: Bool) -> Int64? {
        if isGroup {
            let last = [own, others].compactMap(\.self).max { ($0.effective, $0.id) < ($1.effective, $1.id) }
            return last.flatMap { $0.seconds > 0 ? $0.milliseconds : nil }
        }
        guard let own, let others, own.seconds > 0, others.seconds > 0 else { return nil }
        return max(own.milliseconds, others.milliseconds)
    }
}

/// How long messages stay for everybody, as this node knows it.
package struct LifetimeView: Equatable, Sendable {
    package var terms: LifetimeTerms
    /// The age in milliseconds at which messages disappear; `nil` if they stay.
    package var agreed: Int64?
    /// When this node learned that this counts, in milliseconds since 1970. Nothing is removed before it has counted for
    /// its whole time.
    package var since: Int64?

    package init(terms: LifetimeTerms, agreed: Int64? = nil, since: Int64? = nil) {
        self.terms = terms
        self.agreed = agreed
        self.since = since
    }
}
