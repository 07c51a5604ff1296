package import ParlanceWire

/// The row of a conversation.
package struct ConversationRecord: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// With exactly one other identity.
        case direct(PeerID)
        /// With the members that its membership events determine.
        case group
    }

    package var id: ConversationID
    package var kind: Kind

    package init(id: ConversationID, kind: Kind) {
        self.id = id
        self.kind = kind
    }
}

/// Since which of our messages a member of a group is a recipient. Earlier messages are not for it.
package struct RecipientRecord: Equatable, Sendable {
    package var conversation: ConversationID
    package var peer: PeerID
    /// The last sequence of our log when the member joined.
    package var after: UInt64

    package init(conversation: ConversationID, peer: PeerID, after: UInt64) {
        self.conversation = conversation
        self.peer = peer
        self.after = after
    }
}

/// A branch of a log (events.md, "Forks").
package struct BranchRecord: Equatable, Sendable {
    package var conversation: ConversationID
    /// The name of the branch.
    package var log: LogID
    /// The log or branch that it forks from. It changes if the parent itself forks at an earlier position.
    package var parent: LogID
    /// The last event that the branches share.
    package var base: LogPosition
    /// The first event of this branch.
    package var first: EventID
    /// The headers from the first event up to a signed one, as a `Fork` carries them (serialized `Fork.Branch`).
    /// Together with those of another branch they prove the fork.
    package var proof: [UInt8]

    package init(
        conversation: ConversationID,
        log: LogID,
        parent: LogID,
        base: LogPosition,
        first: EventID,
        proof: [UInt8]
    ) {
        self.conversation = conversation
        self.log = log
        self.parent = parent
        self.base = base
        self.first = first
        self.proof = proof
    }
}

extension LogID {
    /// Names a branch by a replica derived from the replica that wrote it and the hash of its first header. The name
    /// stays the same wherever else that log forks.
    package init(branchOf root: LogID, first: EventID) {
        let hash = Bytes32(hashing: root.replica.bytes + first.bytes, domain: Domain.branch).bytes
        // A replica has 16 bytes.
        self.init(author: root.author, replica: ReplicaID(hash.prefix(ReplicaID.count)) ?? root.replica)
    }
}

/// How far the user trusts another identity.
package enum Trust: String, Equatable, Sendable, CaseIterable {
    case unknown, accepted, verified, blocked
}

/// What is stored of another identity.
package struct PeerRecord: Equatable, Sendable {
    package var id: PeerID
    package var trust: Trust = .unknown
    /// The last name that it announced.
    package var announcedName = ""
    /// The name that it announced when it was accepted.
    package var pinnedName: String?
    package var alias: String?
    /// Wall-clock milliseconds.
    package var lastSeen: Int64?
    /// When it was here in the last days, while it was accepted.
    package var hours = SeenHours()
    /// The highest epoch seen of each replica. A certificate with a lower one is outdated.
    package var epochs: [ReplicaID: UInt64] = [:]
    /// Addresses that worked, the most recent first.
    package var addresses: [Endpoint] = []
    /// Where it takes links, signed by itself (serialized `Addresses.Entry`).
    package var signedAddresses: [UInt8]?
    /// Its request to talk, until it is answered.
    package var request: RequestRecord?
    /// Its signed acceptance of our request, as received (serialized `ContactAnswer`).
    package var answerReceived: [UInt8]?
    /// Our signed acceptance of its request, as sent (serialized `ContactAnswer`).
    package var answerGiven: [UInt8]?
    /// The highest sequence of our own log that it refused, until a retry.
    package var refusedThrough: UInt64?
    /// When its last request was declined, in wall-clock milliseconds; it may ask again a day later.
    package var declined: Int64?
    /// The trust before it was blocked, which unblocking restores.
    package var trustBefore: Trust?

    /// Whether it carries messages for us, and we for it.
    package var isCourier = false
    /// The keys that it gave us to seal envelopes to (serialized `Prekeys`), as received.
    package var prekeys: [UInt8]?
    /// The couriers that hold what we wrote to it while it was away.
    package var deposits: [DepositRecord] = []

    package init(id: PeerID) {
        self.id = id
    }

    /// Notes that the peer is here.
    ///
    /// - Parameter wall: now, in milliseconds since 1970.
    package mutating func wasSeen(_ wall: Int64) {
        lastSeen = wall
        if isAccepted { hours.note(wall) }
    }
}

package struct RequestRecord: Equatable, Sendable {
    package var preview: String
    /// Wall-clock milliseconds.
    package var time: Int64
    /// The address it came from, for the quota.
    package var host: String

    package init(preview: String, time: Int64, host: String) {
        self.preview = preview
        self.time = time
        self.host = host
    }
}

package enum WatermarkLevel: Int, Equatable, Sendable, Comparable, Hashable {
    case delivered = 1
    case read = 2

    package static func < (a: WatermarkLevel, b: WatermarkLevel) -> Bool { a.rawValue < b.rawValue }
}

/// How far a member has received or read a log (sync.md, "Watermarks"). Merged by maximum.
package struct WatermarkRecord: Equatable, Sendable {
    package struct Key: Hashable, Comparable, Sendable {
        package var conversation: ConversationID
        package var member: PeerID
        package var replica: ReplicaID
        package var log: LogID
        package var level: WatermarkLevel

        package init(
            conversation: ConversationID,
            member: PeerID,
            replica: ReplicaID,
            log: LogID,
            level: WatermarkLevel
        ) {
            self.conversation = conversation
            self.member = member
            self.replica = replica
            self.log = log
            self.level = level
        }

        private var rank: (ConversationID, LogID, PeerID, ReplicaID, WatermarkLevel) {
            (conversation, log, member, replica, level)
        }

        package static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
    }

    package var key: Key
    package var position: LogPosition
    /// The member's signature; `nil` where the evidence is the member's clock, received on its authenticated link.
    package var signature: [UInt8]?
    /// When this node learned it, in milliseconds since 1970.
    package var learnt: Int64
    /// The peer that passed it on; `nil` if the member sent it.
    package var via: PeerID?

    package init(key: Key, position: LogPosition, signature: [UInt8]?, learnt: Int64) {
        self.key = key
        self.position = position
        self.signature = signature
        self.learnt = learnt
    }
}

/// What this user announces: name and presence.
package struct ProfileRecord: Equatable, Sendable {
    package var name: String
    package var activity: Activity
    package var statusText: String

    package init(name: String, activity: Activity = .online, statusText: String = "") {
        self.name = name
        self.activity = activity
        self.statusText = statusText
    }
}

/// The presence that a peer announces. Nobody announces being offline; it is inferred.
package enum Activity: String, Equatable, Sendable, CaseIterable {
    case online, away, busy
}
