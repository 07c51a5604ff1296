import NIOCore
import ParlanceCore
import ParlanceWire

extension SocketAddress {
    /// The address in the engine's form: numeric, with the interface after a `%` if it is link-local.
    var endpoint: Endpoint {
        var host = ipAddress ?? ""
        if scope != 0, !host.contains("%") { host += "%" + (NetworkInterface.name(scope) ?? String(scope)) }
        return Endpoint(host: host, port: UInt16(exactly: port ?? 0) ?? 0)
    }

    /// The address alone; `nil` for one that is not of a network.
    var numeric: NumericAddress? {
        withRawAddress { raw in
            switch self {
            case .v4: NumericAddress(raw[4..<8])
            case .v6: NumericAddress(raw[8..<24])
            case .unixDomainSocket: nil
            }
        }
    }

    /// The index of the interface of a link-local IPv6 address, otherwise 0.
    private var scope: UInt32 {
        guard case .v6 = self else { return 0 }
        return withRawAddress { $0.loadUnaligned(fromByteOffset: 24, as: UInt32.self) }
    }

    /// Lends the system's form of the address: `sockaddr_in` (the address at byte 4) or `sockaddr_in6` (the address at
    /// byte 8, the scope at 24), the same on Linux and macOS.
    /// Their fields cannot be named here, because they belong to a module that NIO imports internally.
    func withRawAddress<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withSockAddr { address, count in body(UnsafeRawBufferPointer(start: address, count: count)) }
    }
}
