package import ParlanceWire

/// A log of which old texts are to be removed (events.md, "Removed by age").
package struct RetainedLog: Equatable, Sendable {
    package var conversation: ConversationID
    package var log: LogID
    /// What was written before this is old, in milliseconds since 1970.
    package var before: Int64
    /// Nothing after this sequence may be removed, however old it is: it is unread, or somebody has not received it.
    package var through: UInt64

    package init(conversation: ConversationID, log: LogID, before: Int64, through: UInt64) {
        self.conversation = conversation
        self.log = log
        self.before = before
        self.through = through
    }

    /// Whether an event is old enough.
    ///
    /// An event whose own time was far ahead counts from its arrival, as it is shown.
    package func isOld(_ event: StoredEvent) -> Bool {
        (event.arrived ?? event.header.time.milliseconds) < before
    }
}
