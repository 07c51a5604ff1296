package import ParlanceWire

/// What a person told their node to do. `who` is as typed: a name, an alias, or the beginning of a peer ID.
package enum Command: Equatable, Sendable {
    case send(who: String, text: String)
    case cancel(LogID, conversation: ConversationID, sequence: UInt64)
    case retry(ConversationID)
    case read(who: String)
    case accept(who: String)
    case block(who: String)
    case forget(who: String)
    case setAlias(who: String, alias: String)
    case setName(String)
    /// What is `nil` stays as it is.
    case setPresence(Activity?, text: String?)
    case typing(who: String)
    /// Who is meant, and how their conversation stands: what reads for people need from the engine.
    case find(who: String)
    case listPeers
    case showProfile
    case listDeliveries
}

/// What a command came to. For those that write, it is told once that is durable.
///
/// What is large is boxed here and in `Effect` and `Notice`: thousands of small ones a second are moved about.
package enum Answer: Equatable, Sendable {
    case done
    case sent(SentMessage)
    indirect case peer(PeerView)
    case peers([PeerView])
    case deliveries([DeliveryView])
    case profile(ProfileRecord)
}

package struct SentMessage: Equatable, Sendable {
    package var id: EventID
    package var conversation: ConversationID
    package var peer: PeerID
    package var sequence: UInt64
    package var time: EventTime
    /// A link that takes it is up: it goes out as soon as it is durable.
    package var isOnItsWay: Bool
}

/// A peer as people see it.
package struct PeerView: Equatable, Sendable {
    package var record: PeerRecord
    /// The name to show: alias, else pinned name, else announced name, made distinct where it must be.
    package var displayName: String
    package var nearby: Bool
    package var connected: Bool
    package var presence: PresenceView
    package var endpoints: [Endpoint]
    package var typing: Bool
    package var conversation: ConversationID
    package var delivery: DeliveryView
    /// Why there is no link, where one is wanted.
    package var reason: String?
    /// Monotonic milliseconds of the next attempt.
    package var nextTry: Int64?
}

package struct PresenceView: Equatable, Sendable {
    /// `nil`: offline.
    package var activity: Activity?
    package var statusText: String
    package var lastSeen: Int64?
}

/// How the own messages of a conversation stand: thresholds in the own logs, from which every status follows.
package struct DeliveryView: Equatable, Sendable {
    package var conversation: ConversationID
    package var peer: PeerID
    /// For each own log: through where the peer has it, has read it, has it on its way, has refused it.
    package var logs: [LogDelivery]
    /// Why what waits is waiting.
    package var reason: WaitReason?
    package var nextTry: Int64?

    package struct LogDelivery: Equatable, Sendable {
        package var log: LogID
        package var delivered: LogPosition
        package var read: LogPosition
        package var sendingThrough: UInt64
        package var refusedThrough: UInt64
    }
}

/// Why a message waits.
package enum WaitReason: Equatable, Sendable {
    /// The request to talk is on its way or has not been answered.
    case waitsForAcceptance
    case peerOffline
    /// Seen by discovery, not reached: the last error.
    case unreachable(String)
    case refused
    /// The link is up and the message is on it or next in line.
    case onItsWay
    /// The peer is linked but does not take this conversation at present.
    case notTaken
}

/// A command that could not be carried out: what, why, and what to do. Nothing was changed.
package struct CommandError: Error, Equatable, Sendable {
    package enum Code: String, Equatable, Sendable {
        case unknownPeer, ambiguousPeer, ownIdentity, unknownMessage, notWaiting, emptyText, textTooLong, invalidName
        case blocked, storeFailed
    }

    package var code: Code
    package var message: String
    package var advice: String
    /// For `ambiguousPeer`: who could be meant.
    package var candidates: [PeerID] = []

    package init(_ code: Code, _ message: String, advice: String, candidates: [PeerID] = []) {
        self.code = code
        self.message = message
        self.advice = advice
        self.candidates = candidates
    }
}

/// News for whoever watches this node.
package enum Notice: Equatable, Sendable {
    indirect case message(ShownMessage)
    case withdrawn(EventID)
    indirect case delivery(DeliveryView)
    indirect case peer(PeerView)
    /// A stranger went, and nothing is kept of it.
    case gone(PeerID)
    case typing(PeerID, ConversationID, active: Bool)
    indirect case request(PeerView)
    case profile(ProfileRecord)
}
