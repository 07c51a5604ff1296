/// How far a peer is trusted.
package enum Trust: String, Codable, JSONWord, Sendable {
    /// Seen, never accepted.
    case unknown
    /// Accepted by the user.
    case accepted
    /// Accepted, and the safety number was compared.
    case verified
    case blocked
}

/// Whether somebody is at the computer.
package enum PresenceState: String, Codable, JSONWord, Sendable {
    case online, away, busy, offline
}

/// How far a message of this user has come; it only moves forward, except that a retry takes `failed` back to `staged`.
package enum MessageStatus: String, Codable, JSONWord, Sendable {
    /// Durable here; nobody it is for can be reached right now.
    case staged
    /// On its way on at least one link, not confirmed.
    case sending
    /// At least one other device holds it durably.
    case sent
    /// Every recipient's device holds it durably.
    case delivered
    /// Every recipient has opened it.
    case read
    /// A recipient refused it, or nobody can receive it any more.
    case failed
}

/// The kinds of conversations.
package enum ConversationKind: String, Codable, JSONWord, Sendable {
    case direct, group
}

/// How far first contact has come in a direct conversation.
package enum ContactState: String, Codable, JSONWord, Sendable {
    /// Both sides may write.
    case open
    /// The peer asked to talk and waits for the user's answer.
    case requested
    /// The user's request waits for the peer's answer.
    case waiting
    /// The peer is blocked here.
    case blocked
}
