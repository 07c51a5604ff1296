/// An IP address: 4 bytes for IPv4, 16 for IPv6, in network order.
package struct NumericAddress: Hashable, Sendable {
    package let bytes: [UInt8]

    /// Accepts bytes of either length; `nil` for any other.
    package init?(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        guard self.bytes.count == 4 || self.bytes.count == 16 else { return nil }
    }

    package var range: AddressRange { AddressRange(bytes) }

    /// Whether it means all addresses of its family: `0.0.0.0` or `::`.
    package var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

    /// The address as people and systems write it; IPv6 as RFC 5952 specifies.
    package var text: String {
        guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
        let groups = (0..<8).map { UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1]) }
        let zeros = Self.longestZeros(groups)
        let words = groups.map { String($0, radix: 16) }
        guard zeros.count > 1 else { return words.joined(separator: ":") }
        let before = words[..<zeros.lowerBound].joined(separator: ":")
        return before + "::" + words[zeros.upperBound...].joined(separator: ":")
    }

    /// The first of the longest runs of zero groups.
    private static func longestZeros(_ groups: [UInt16]) -> Range<Int> {
        var longest = 0..<0
        var start = 0
        for (index, group) in groups.enumerated() {
            if group != 0 { start = index + 1 }
            if index + 1 - start > longest.count { longest = start..<(index + 1) }
        }
        return longest
    }
}

/// The kind of an address, which decides whether it may be dialled or announced.
package enum AddressRange: Equatable, Sendable {
    case ordinary, loopback, linkLocalIPv6, unusable

    package init(_ bytes: [UInt8]) {
        switch bytes.count {
        case 4: self = Self.ipv4(bytes)
        case 16: self = Self.ipv6(bytes)
        default: self = .unusable
        }
    }

    private static func ipv4(_ bytes: [UInt8]) -> AddressRange {
        switch bytes[0] {
        case 127: .loopback
        case 0, 224...255: .unusable
        default: .ordinary
        }
    }

    private static func ipv6(_ bytes: [UInt8]) -> AddressRange {
        if bytes[0] == 0xff { return .unusable }
        if bytes[0] == 0xfe, bytes[1] & 0xc0 == 0x80 { return .linkLocalIPv6 }
        guard bytes.prefix(10).allSatisfy({ $0 == 0 }) else { return .ordinary }
        // ::/80 contains only the unspecified address, the loopback address and embedded IPv4 addresses.
        return bytes.dropFirst(10).elementsEqual([0, 0, 0, 0, 0, 1]) ? .loopback : .unusable
    }
}
