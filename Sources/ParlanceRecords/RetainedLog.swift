package import ParlanceWire

/// A log of which texts are to be removed: those that are old, and those that the user has cleared (events.md, "Removed by
/// age" and "Cleared").
package struct RetainedLog: Equatable, Sendable {
    package var conversation: ConversationID
    package var log: LogID
    /// What is older than this goes, in milliseconds; `nil`: nothing goes because of its age.
    package var age: Int64?
    /// The present, in milliseconds since 1970.
    package var wall: Int64
    /// Through here everything goes, whatever its age: the user has cleared the conversation. The store keeps it with the
    /// log, since some of that may have to wait.
    package var cleared: UInt64
    /// Nothing after this sequence may be removed, however old it is: it is unread, or somebody has not received it.
    package var through: UInt64
    /// Through here the author of the log has removed texts: one that is missing is no obstacle.
    package var gone: UInt64

    package init(
        conversation: ConversationID,
        log: LogID,
        age: Int64?,
        cleared: UInt64 = 0,
        wall: Int64,
        through: UInt64,
        gone: UInt64 = 0
    ) {
        self.conversation = conversation
        self.log = log
        self.age = age
        self.cleared = cleared
        self.wall = wall
        self.through = through
        self.gone = gone
    }
}
