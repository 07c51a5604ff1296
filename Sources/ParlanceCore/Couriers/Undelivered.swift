import ParlanceWire

/// What a peer lacks of our own log of the conversation with it.
struct Undelivered: Equatable, Sendable {
    let conversation: ConversationID
    let log: LogID
    /// Through where the peer has it.
    let reached: UInt64
    /// Through where it is durable here.
    let through: UInt64
}
