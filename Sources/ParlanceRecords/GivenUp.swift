package import ParlanceWire

/// Logs of one conversation that have waited long enough: given up is what their next event names of these authors and
/// what is not applied, and what the next `Limits.givenUpEvents` events name of them and what is not held.
package struct GivenUp: Equatable, Sendable {
    package var conversation: ConversationID
    package var logs: [LogID]
    package var authors: Set<PeerID>

    package init(conversation: ConversationID, logs: [LogID], authors: Set<PeerID>) {
        self.conversation = conversation
        self.logs = logs
        self.authors = authors
    }
}
