package import ParlanceWire

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
