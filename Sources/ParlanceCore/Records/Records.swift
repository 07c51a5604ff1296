package import ParlanceWire

/// A conversation's row.
package struct ConversationRecord: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// With exactly one other identity.
        case direct(PeerID)
        /// Whoever its membership events say.
        case group
    }

    package var id: ConversationID
    package var kind: Kind

    package init(id: ConversationID, kind: Kind) {
        self.id = id
        self.kind = kind
    }
}

/// From which own message on a member of a group is a recipient: what was written before it joined was not for it.
package struct RecipientRecord: Equatable, Sendable {
    package var conversation: ConversationID
    package var peer: PeerID
    /// The own log's last sequence when it joined.
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
    /// The branch's own name.
    package var log: LogID
    /// The log, or the branch, that it parts from. It becomes another one if that parts before, too.
    package var parent: LogID
    /// The last event that it has in common with the others.
    package var base: LogPosition
    /// Its first event.
    package var first: EventID
    /// The headers from the first up to a signed one, as a `Fork` carries them (serialized `Fork.Branch`): with those of
    /// another branch, the proof.
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
    /// A branch goes by a replica made of the replica that wrote it and of the hash of its first header, so that it has the
    /// same name wherever else that log turns out to part.
    package init(branchOf root: LogID, first: EventID) {
        let hash = Bytes32(hashing: root.replica.bytes + first.bytes, domain: Domain.branch).bytes
        // 16 bytes are what a replica has.
        self.init(author: root.author, replica: ReplicaID(hash.prefix(ReplicaID.count)) ?? root.replica)
    }
}

/// How far one trusts another identity.
package enum Trust: String, Equatable, Sendable, CaseIterable {
    case unknown, accepted, verified, blocked
}

/// What is kept of another identity.
package struct PeerRecord: Equatable, Sendable {
    package var id: PeerID
    package var trust: Trust = .unknown
    /// The name it announced last.
    package var announcedName = ""
    /// The name it announced when it was accepted.
    package var pinnedName: String?
    package var alias: String?
    /// Wall-clock milliseconds.
    package var lastSeen: Int64?
    /// The highest epoch seen of each replica: a lower one is an old certificate.
    package var epochs: [ReplicaID: UInt64] = [:]
    /// Addresses that worked, the latest first.
    package var addresses: [Endpoint] = []
    /// Where it takes links, as it says itself (serialized `Addresses.Entry`).
    package var signedAddresses: [UInt8]?
    /// Its request to talk, until it is answered.
    package var request: RequestRecord?
    /// Its signed yes to our request, as it came (serialized `ContactAnswer`).
    package var answerReceived: [UInt8]?
    /// Our signed yes to its request, as it is sent (serialized `ContactAnswer`).
    package var answerGiven: [UInt8]?
    /// The highest sequence of our own log that it refused, until a retry.
    package var refusedThrough: UInt64?
    /// When its last request was declined, in wall-clock milliseconds; it may ask again a day later.
    package var declined: Int64?
    /// How far it was trusted when it was blocked, which an end of the block brings back.
    package var trustBefore: Trust?

    /// Whether it carries messages for one, and one for it.
    package var isCourier = false
    /// The keys it gave to seal envelopes to (serialized `Prekeys`), as they came.
    package var prekeys: [UInt8]?
    /// Who holds what one wrote to it while it was away.
    package var deposits: [DepositRecord] = []

    package init(id: PeerID) {
        self.id = id
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
    package struct Key: Hashable, Sendable {
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

        /// A total order.
        package var rank: (ConversationID, LogID, PeerID, ReplicaID, WatermarkLevel) {
            (conversation, log, member, replica, level)
        }
    }

    package var key: Key
    package var position: LogPosition
    /// The member's signature; `nil` where the evidence is its clock, told on its own authenticated link.
    package var signature: [UInt8]?
    /// When this node learnt it, in milliseconds since 1970.
    package var learnt: Int64
    /// Who handed it on; `nil` if the member said it itself.
    package var via: PeerID?

    package init(key: Key, position: LogPosition, signature: [UInt8]?, learnt: Int64) {
        self.key = key
        self.position = position
        self.signature = signature
        self.learnt = learnt
    }
}

/// What one says of oneself.
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

/// What somebody announces of being here. `offline` is never announced, only found out.
package enum Activity: String, Equatable, Sendable, CaseIterable {
    case online, away, busy
}
