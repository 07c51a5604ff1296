package import ParlanceWire

/// A group as people see it.
package struct GroupView: Equatable, Sendable {
    package var conversation: ConversationID
    package var title: String
    package var topic: String
    /// The members, oneself among them, in the order of their IDs.
    package var members: [Member]
    package var isMember: Bool
    package var isAdmin: Bool
    /// What ended the own membership; `nil` if one is a member.
    package var departure: Departure?
    package var delivery: DeliveryView
    /// Logs whose messages are shown before what they refer to is here.
    package var overdue: Set<LogID>
    /// Own logs of which something does not count if one was no member when it was written: only beyond these.
    package var doubtfulAfter: [LogID: UInt64]
    /// Events held here that somebody wrote.
    package var events: UInt64

    package struct Departure: Equatable, Sendable {
        /// The membership event that says so.
        package var event: EventID
        /// Oneself, if one left.
        package var by: PeerID
        /// When, in milliseconds since 1970, as one shows it.
        package var time: Int64
    }

    package struct Member: Equatable, Sendable {
        package var peer: PeerID
        package var displayName: String
        package var isAdmin: Bool
        package var connected: Bool
        package var presence: PresenceView
        package var typing: Bool
        /// How many of the events held here it is known to hold; all of them, for oneself.
        package var holds: UInt64
    }
}
