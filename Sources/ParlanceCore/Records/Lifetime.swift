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

    /// The time of the event, and no earlier than that of any event that it refers to.
    fileprivate var wall: Int64 { Int64(clamping: effective >> 16) }
}

/// What the members of a conversation have said about how long its messages stay: the last event of this user that is
/// not void, and the last of anybody else.
package struct LifetimeTerms: Equatable, Sendable {
    /// How long messages stay, and since when that is so.
    package struct Agreement: Equatable, Sendable {
        package var milliseconds: Int64
        package var since: Int64
    }

    package var conversation: ConversationID
    package var own: Lifetime?
    package var others: Lifetime?

    package init(conversation: ConversationID, own: Lifetime? = nil, others: Lifetime? = nil) {
        self.conversation = conversation
        self.own = own
        self.others = others
    }

    /// What counts. In a group it is the last event, which is by an admin. In a direct conversation both people must want
    /// it, and the longer time counts.
    package func agreement(isGroup: Bool) -> Agreement? {
        if isGroup {
            let last = [own, others].compactMap(\.self).max { ($0.effective, $0.id) < ($1.effective, $1.id) }
            guard let last, last.seconds > 0 else { return nil }
            return Agreement(milliseconds: last.milliseconds, since: last.wall)
        }
        guard let own, let others, own.seconds > 0, others.seconds > 0 else { return nil }
        return Agreement(
            milliseconds: max(own.milliseconds, others.milliseconds),
            since: max(own.wall, others.wall)
        )
    }
}
