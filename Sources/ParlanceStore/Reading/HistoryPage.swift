package import ParlanceRecords
package import ParlanceWire

/// A page of a conversation, with what a screen shows beside it, all of one moment.
package struct HistoryPage: Equatable, Sendable {
    /// The oldest comes first.
    package var messages: [ShownMessage] = []
    /// Those among them that the owner of the store has not read.
    package var unread: Set<EventID> = []
    /// `nil` if the store does not have the conversation.
    package var summary: ConversationSummary?
}
