package import ParlanceWire

/// An event whose row differed from what was written, and the outcome of its repair.
package struct MendedEvent: Equatable, Sendable {
    package var conversation: ConversationID
    package var log: LogID
    package var sequence: UInt64
    /// Whether its text is missing now, until somebody who has it sends it. Otherwise the row is what it was.
    package var isTextLost: Bool
}
