import NIOCore
import NIOPosix
import ParlanceCore
package import ParlanceWire

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// The addresses at which a node takes links, as the setting `listen` names them; none: all of this machine.
package struct ListenPlaces: Sendable {
    /// Each once, and none that the unspecified address of its family takes in: the system gives a port to one socket only.
    package let hosts: [String]
    private let places: [ZonedAddress]

    /// - Parameter hosts: numeric addresses. Others stay, and are never here: without them the list might mean all.
    package init(_ hosts: [String]) {
        var (kept, places) = ([String](), [ZonedAddress]())
        let all = hosts.compactMap { ZonedAddress($0) }
        for host in hosts {
            guard let place = ZonedAddress(host) else {
                kept.append(host)
                continue
            }
            guard !places.contains(place) else { continue }
            let isCovered = all.contains { other in
                other != place && other.address.isUnspecified
                    && other.address.bytes.count == place.address.bytes.count
            }
            guard !isCovered else { continue }
            kept.append(host)
            places.append(place)
        }
        (self.hosts, self.places) = (kept, places)
    }

    /// Whether links are taken at an address of this machine.
    package func contains(_ address: NumericAddress) -> Bool {
        hosts.isEmpty
            || places.contains {
                $0.address == address
                    || $0.address.isUnspecified && $0.address.bytes.count == address.bytes.count
            }
    }

    /// Those that this machine does not have now.
    package var absent: [String] { hosts.filter { !Self.isHere($0) } }

    #if canImport(Glibc)
    private static let probing = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    #else
    private static let probing = SOCK_DGRAM
    #endif

    /// Whether the system lets somebody have a port of this address.
    private static func isHere(_ host: String) -> Bool {
        guard let address = try? SocketAddress(ipAddress: host, port: 0) else { return false }
        return address.withSockAddr { raw, count in
            let probe = socket(Int32(address.protocol.rawValue), Self.probing, 0)
            // Without a socket nothing is known.
            guard probe >= 0 else { return errno != EAFNOSUPPORT }
            defer { close(probe) }
            return bind(probe, raw, socklen_t(count)) == 0 || ![EADDRNOTAVAIL, ENODEV].contains(errno)
        }
    }
}
