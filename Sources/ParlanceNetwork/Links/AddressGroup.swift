import NIOCore

/// Addresses that count as one for quotas: an IPv4 address, a /64 of IPv6 (a host chooses freely within it), loopback.
enum AddressGroup: Hashable, Sendable {
    case loopback
    case v4(UInt32)
    case v6(UInt64)
    case other

    init(_ address: SocketAddress?) {
        guard let address else {
            self = .other
            return
        }
        self = address.withRawAddress { raw in
            switch address {
            case .v4:
                return AddressGroup(v4: UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
            case .v6:
                let high = UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                let low = UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
                if high == 0, low == 1 { return .loopback }
                if high == 0, low >> 32 == 0xFFFF { return AddressGroup(v4: UInt32(truncatingIfNeeded: low)) }
                return .v6(high)
            case .unixDomainSocket:
                return .other
            }
        }
    }

    private init(v4 address: UInt32) {
        self = address >> 24 == 127 ? .loopback : .v4(address)
    }
}
