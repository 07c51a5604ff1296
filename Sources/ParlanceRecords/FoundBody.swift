package import ParlanceWire

/// A body that came for an event held without it. The store takes it if its hash equals the hash in the header.
package struct FoundBody: Equatable, Sendable {
    package var conversation: ConversationID
    package var log: LogID
    package var sequence: UInt64
    package var body: [UInt8]

    package init(conversation: ConversationID, log: LogID, sequence: UInt64, body: [UInt8]) {
        self.conversation = conversation
        self.log = log
        self.sequence = sequence
        self.body = body
    }
}
