import ParlanceRecords
import ParlanceWire

/// The bytes a member signs in a watermark (sync.md, "Watermarks").
enum WatermarkSeal {
    static func bytes(_ key: WatermarkRecord.Key, _ position: LogPosition) -> [UInt8] {
        [Domain.watermark] + key.conversation.bytes + key.member.bytes + key.replica.bytes + key.log.author.bytes
            + key.log.replica.bytes + position.sequence.bigEndianBytes + position.head.bytes
            + [UInt8(key.level.rawValue)]
    }
}
