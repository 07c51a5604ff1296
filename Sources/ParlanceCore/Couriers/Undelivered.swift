import ParlanceWire

/// What a peer lacks of our own log in the direct conversation with it.
struct Undelivered: Equatable, Sendable {
    let conversation: ConversationID
    let log: LogID
    /// The last sequence that the peer has.
    let reached: UInt64
    /// The last sequence that is durable here.
    let through: UInt64
}
