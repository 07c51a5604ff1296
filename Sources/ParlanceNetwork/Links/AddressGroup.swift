import NIOCore

/// Addresses that count as one for quotas: this machine, an IPv4 address, an IPv6 address of the same network, a /64 of
/// another network (a host chooses freely within it; within its own network that would be all of its neighbours).
enum AddressGroup: Hashable, Sendable {
    /// Whatever address a program of this machine uses: a machine may have many users, each with a node.
    case loopback
    case v4(UInt32)
    /// A network; the first 8 bytes of its addresses.
    case v6(UInt64)
    /// An address of the network that this machine is in.
    case neighbour(UInt64, UInt64)
    case other

    /// - Parameters:
    ///   - remote: the address at the other end of a connection.
    ///   - local: the one at this end.
    init(_ remote: SocketAddress?, local: SocketAddress? = nil) {
        guard let remote else {
            self = .other
            return
        }
        let (own, other) = (local.flatMap(Self.parts), Self.parts(remote))
        switch other {
        case nil: self = .other
        case (0, 1)?: self = .loopback
        case (let high, let low)? where own.map({ $0 == (high, low) }) == true: self = .loopback
        case (0, let low)? where low >> 32 == 0xFFFF:
            self = (low >> 24) & 0xFF == 127 ? .loopback : .v4(UInt32(truncatingIfNeeded: low))
        case (let high, let low)?:
            // Link-local addresses are only in the same network.
            let isNeighbour = high >> 54 == 0xFE80 >> 6 || own?.high == high
            self = isNeighbour ? .neighbour(high, low) : .v6(high)
        }
    }

    /// The two halves of an IPv6 address; IPv4 as it is written in IPv6.
    private static func parts(_ address: SocketAddress) -> (high: UInt64, low: UInt64)? {
        address.withRawAddress { raw in
            switch address {
            case .v4:
                return (
                    0, 0xFFFF << 32 | UInt64(UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
                )
            case .v6:
                return (
                    UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                    UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
                )
            case .unixDomainSocket:
                return nil
            }
        }
    }
}
