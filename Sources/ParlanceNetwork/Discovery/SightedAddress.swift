import ParlanceWire

/// An address and port at which a peer says it accepts links.
package struct SightedAddress: Sendable, Hashable {
    /// The address in network order: 4 bytes for IPv4, 16 for IPv6.
    package let bytes: [UInt8]
    /// The interface of a link-local IPv6 address (`sin6_scope_id`); 0 for every other address.
    package let scope: UInt32
    /// The TCP port.
    package let port: UInt16
    /// The index of the interface on which the announcement arrived; 0 if that is not known.
    package let interface: UInt32

    /// Reads an address of an announcement; `nil` if no link should ever be dialled there.
    /// Anybody can announce anything. A loopback address is accepted only on the loopback interface, otherwise a
    /// stranger could make us dial services of our own machine; multicast, unspecified and IPv4-in-IPv6 addresses are
    /// refused.
    package init?(bytes: [UInt8], port: UInt16, interface: UInt32, isLoopbackInterface: Bool) {
        guard port != 0 else { return nil }
        switch AddressRange(bytes) {
        case .ordinary: self.scope = 0
        case .loopback where isLoopbackInterface: self.scope = 0
        case .linkLocalIPv6 where interface != 0: self.scope = interface
        default: return nil
        }
        self.bytes = bytes
        self.port = port
        self.interface = interface
    }

    /// Whether this is an IPv6 address.
    package var isIPv6: Bool { bytes.count == 16 }

    /// The address in the form that `getaddrinfo` reads, for example `10.0.0.7` or `fe80::1%2`.
    package var host: String {
        let plain = NumericAddress(bytes)?.text ?? ""
        return scope == 0 ? plain : "\(plain)%\(scope)"
    }
}

extension SightedAddress: Comparable {
    /// IPv4 first (it is more common on local networks), then by address, so that all runs list them in the same order.
    package static func < (one: SightedAddress, other: SightedAddress) -> Bool {
        if one.bytes.count != other.bytes.count { return one.bytes.count < other.bytes.count }
        if one.bytes != other.bytes { return one.bytes.lexicographicallyPrecedes(other.bytes) }
        return (one.interface, one.scope, one.port) < (other.interface, other.scope, other.port)
    }
}

extension SightedAddress: CustomStringConvertible {
    /// Host and port as people write them, for example `10.0.0.7:4747` or `[fe80::1%2]:4747`.
    package var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
