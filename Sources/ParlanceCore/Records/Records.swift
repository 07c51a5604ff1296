import ParlanceRecords
package import ParlanceWire

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
    /// When something last came from it, as far as was noted, in wall-clock milliseconds.
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

    /// Notes that the peer was here.
    ///
    /// - Parameter wall: when something came from it, in milliseconds since 1970.
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
