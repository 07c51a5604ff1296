import FoundationEssentials
package import ParlanceRecords
import ParlanceSodium
package import ParlanceWire

extension WatermarkRecord {
    package init?(_ wire: WireWatermark, in conversation: ConversationID) {
        guard let member = PeerID(wire.member), let replica = ReplicaID(wire.replica), let log = LogID(wire.log),
            let head = EventID(wire.head), (1...Limits.sequence).contains(wire.sequence),
            let level = WatermarkLevel(rawValue: wire.level.rawValue),
            wire.signature.count == Ed25519.signatureByteCount
        else { return nil }
        self.init(
            key: Key(conversation: conversation, member: member, replica: replica, log: log, level: level),
            position: LogPosition(sequence: wire.sequence, head: head),
            signature: [UInt8](wire.signature),
            learnt: 0
        )
    }

    var wire: WireWatermark? {
        guard let signature else { return nil }
        var wire = WireWatermark()
        wire.member = Data(key.member.bytes)
        wire.replica = Data(key.replica.bytes)
        wire.log = key.log.wire
        wire.sequence = position.sequence
        wire.head = Data(position.head.bytes)
        wire.level = key.level == .read ? .read : .delivered
        wire.signature = Data(signature)
        return wire
    }
}
