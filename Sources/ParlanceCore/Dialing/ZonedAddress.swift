package import ParlanceWire

/// A numeric address with the interface by which it is reached, such as `fe80::1%eth0` (RFC 4007, section 11).
package struct ZonedAddress: Equatable, Sendable {
    package let address: NumericAddress
    /// The name or the number of an interface of this machine; `nil` if there is none in the text.
    package let zone: String?

    /// Reads the host of an endpoint; `nil` if it is a name, or malformed.
    package init?(_ host: some StringProtocol) {
        let plain = host.withoutZone
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

extension StringProtocol {
    /// A host without the interface by which it is reached, as `fe80::1` of `fe80::1%eth0`.
    package var withoutZone: SubSequence { prefix { $0 != "%" } }

    fileprivate var isNumber: Bool { allSatisfy { $0.isASCII && $0.isNumber } }
}

extension Endpoint {
    /// Whether it has the address of `host`. Interfaces differ only if both are named, or both numbered: one side may name
    /// the interface that another numbers.
    package func isAt(_ host: String) -> Bool {
        let (own, other) = (self.host.withoutZone, host.withoutZone)
        guard own == other else { return false }
        let zones = [self.host.dropFirst(own.count + 1), host.dropFirst(other.count + 1)]
        guard zones[0] != zones[1], zones.allSatisfy({ !$0.isEmpty }) else { return true }
        return zones[0].isNumber != zones[1].isNumber
    }
}
