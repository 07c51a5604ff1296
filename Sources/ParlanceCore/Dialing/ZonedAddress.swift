package import ParlanceWire

/// A numeric address with the interface by which it is reached, such as `fe80::1%eth0` (RFC 4007, section 11).
package struct ZonedAddress: Equatable, Sendable {
    package let address: NumericAddress
    /// The name or the number of an interface of this machine; `nil` if there is none in the text.
    package let zone: String?

    /// Reads the host of an endpoint; `nil` if it is a name, or malformed.
    package init?(_ host: some StringProtocol) {
        let plain = host.prefix { $0 != "%" }
        guard let address = NumericAddress(text: plain) else { return nil }
        self.address = address
        guard plain.endIndex != host.endIndex else {
            zone = nil
            return
        }
        let zone = host[plain.endIndex...].dropFirst()
        // As the kernel checks the names of interfaces.
        guard address.bytes.count == 16, (1...Limits.interfaceNameBytes).contains(zone.utf8.count),
            !zone.contains(where: { $0.isWhitespace || "/:%[]".contains($0) })
        else { return nil }
        self.zone = String(zone)
    }

    /// Whether it means nothing without an interface, and has none.
    package var lacksZone: Bool { address.range == .linkLocalIPv6 && zone == nil }
}
