package import ParlanceWire

/// Through where a batch removed the texts of a log (events.md, "Removed by age" and "Cleared").
package struct LogFloor: Equatable, Sendable {
    package var conversation: ConversationID
    package var log: LogID
    package var sequence: UInt64
    /// Through where the user has cleared the log: what is beyond `sequence` goes later.
    package var cleared: UInt64
    /// The messages that were shown until then, in the order of the log.
    package var removed: [EventID]
    /// Whether the batch ended before everything was removed that goes.
    package var isCut: Bool

    package init(
        conversation: ConversationID,
        log: LogID,
        sequence: UInt64,
        cleared: UInt64 = 0,
        removed: [EventID] = [],
        isCut: Bool = false
    ) {
        self.conversation = conversation
        self.log = log
        self.sequence = sequence
        self.cleared = cleared
        self.removed = removed
        self.isCut = isCut
    }
}
