/// Decides which mDNS packets the embedded library may see.
/// libavahi-core runs in this process, and alias records from the network can abort it; our peers never send such
/// records (see `CAvahiCore/guard.h`). So packets with an alias, and packets that do not parse, are removed first.
package enum PacketGuard {
    /// The most bytes of a packet (RFC 6762, section 17).
    static let maximumBytes = 9_000
    /// CNAME (RFC 1035) and DNAME (RFC 6672).
    private static let aliasTypes: Set<UInt16> = [5, 39]

    package static func accepts(_ packet: UnsafeRawBufferPointer) -> Bool {
        guard packet.count <= maximumBytes else { return false }
        var reader = PacketReader(packet)
        guard reader.skip(4), let questions = reader.number(), let answers = reader.number(),
            let authorities = reader.number(), let additions = reader.number()
        else { return false }
        for _ in 0..<questions where !(reader.skipName() && reader.skip(4)) { return false }
        for _ in 0..<(Int(answers) + Int(authorities) + Int(additions)) {
            guard reader.skipName(), let type = reader.number(), !aliasTypes.contains(type), reader.skip(6),
                let length = reader.number(), reader.skip(Int(length))
            else { return false }
        }
        return true
    }
}

/// Reads through a DNS packet (RFC 1035, section 4) and never beyond its end.
private struct PacketReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func skip(_ count: Int) -> Bool {
        guard count <= bytes.count - position else { return false }
        position += count
        return true
    }

    mutating func number() -> UInt16? {
        guard bytes.count - position >= 2 else { return nil }
        defer { position += 2 }
        return UInt16(bytes[position]) << 8 | UInt16(bytes[position + 1])
    }

    /// Skips a name: labels up to an empty label or a pointer, which is not followed.
    mutating func skipName() -> Bool {
        while position < bytes.count {
            let length = bytes[position]
            switch length & 0xc0 {
            case 0xc0: return skip(2)
            case 0:
                guard skip(1 + Int(length)) else { return false }
                if length == 0 { return true }
            default: return false
            }
        }
        return false
    }
}
