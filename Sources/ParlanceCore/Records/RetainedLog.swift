package import ParlanceWire

/// A log of which old texts are to be removed (events.md, "Removed by age").
package struct RetainedLog: Equatable, Sendable {
    package var conversation: ConversationID
    package var log: LogID
    /// What is older than this goes, in milliseconds.
    package var age: Int64
    /// The present, in milliseconds since 1970.
    package var wall: Int64
    /// Nothing after this sequence may be removed, however old it is: it is unread, or somebody has not received it.
    package var through: UInt64
    /// Through here the writer of the log has removed texts: one that is missing is no obstacle.
    package var gone: UInt64

    package init(
        conversation: ConversationID,
        log: LogID,
        age: Int64,
        wall: Int64,
        through: UInt64,
        gone: UInt64 = 0
    ) {
        self.conversation = conversation
        self.log = log
        self.age = age
        self.wall = wall
        self.through = through
        self.gone = gone
    }

    /// Whether an event is old enough, by the time that is shown.
    package func isOld(_ event: StoredEvent) -> Bool {
        let (age, isFar) = wall.subtractingReportingOverflow(event.writtenTime.shown(at: wall))
        return isFar ? wall > 0 : age > self.age
    }
}
