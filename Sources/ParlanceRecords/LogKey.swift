package import ParlanceWire

/// A log within a conversation.
package struct LogKey: Hashable, Comparable, Sendable {
    package var conversation: ConversationID
    package var log: LogID

    package init(_ conversation: ConversationID, _ log: LogID) {
        self.conversation = conversation
        self.log = log
    }

    package static func < (a: LogKey, b: LogKey) -> Bool { (a.conversation, a.log) < (b.conversation, b.log) }
}
