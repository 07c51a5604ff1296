package import ParlanceWire

/// A group as people see it.
package struct GroupView: Equatable, Sendable {
    package var conversation: ConversationID
    package var title: String
    /// The title with which the group was created.
    package var createdAs: String
    package var topic: String
    /// The members, including this user, in the order of their IDs.
    package var members: [Member]
    package var isMember: Bool
    package var isAdmin: Bool
    /// What ended this user's membership; `nil` for a member.
    package var departure: Departure?
    /// The membership events that ended the membership of identities that are not members now. Nobody is sent the log
    /// of a former member, so such an event is often held outside its log.
    package var departures: [EventID]
    package var delivery: DeliveryView
    /// What admins have said about how long messages stay.
    package var lifetime: LifetimeView
    /// Logs whose messages are shown although events that they refer to are missing.
    package var overdue: Set<LogID>
    /// Our logs that may contain void events, written while this user was not a member. Those can only follow these
    /// sequences.
    package var doubtfulAfter: [LogID: UInt64]
    /// The number of events held here, of all authors.
    package var events: UInt64

    package struct Departure: Equatable, Sendable {
        /// The member who ended it: this user, if the user left.
        package var by: PeerID
        /// The time to show, in milliseconds since 1970.
        package var time: Int64
    }

    package struct Member: Equatable, Sendable {
        package var peer: PeerID
        package var displayName: String
        package var isAdmin: Bool
        package var connected: Bool
        package var presence: PresenceView
        package var typing: Bool
        /// Whether the member has to accept this user, or another member, before it gets the group.
        package var isAsked: Bool
        /// Whether the member is excluded from the workspace, and so gets no link.
        package var isLeftOut: Bool
        /// How many of the events held here the member is known to hold; all of them for this user.
        package var holds: UInt64
    }
}
