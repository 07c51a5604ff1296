import NIOCore

/// Which addresses belong to this machine or its local network.
enum LocalNetwork {
    /// Whether packets to the address stay on this machine or in the local network: loopback, private (RFC 1918,
    /// RFC 4193) or link-local (RFC 3927, RFC 4291). An IPv4 address inside of an IPv6 one counts as itself.
    static func contains(_ address: SocketAddress) -> Bool {
        switch address {
        // Where Linux has the address itself: after family and port, and for IPv6 also the flow.
        case .v4(let four): withUnsafeBytes(of: four.address) { contains(four: Array($0[4..<8])) }
        case .v6(let six): withUnsafeBytes(of: six.address) { contains(six: Array($0[8..<24])) }
        case .unixDomainSocket: false
        }
    }

    private static func contains(four bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1]) {
        case (127, _), (10, _), (172, 16...31), (192, 168), (169, 254): true
        default: false
        }
    }

    private static func contains(six bytes: [UInt8]) -> Bool {
        let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xff, 0xff]
        if bytes.starts(with: mapped) { return contains(four: Array(bytes.dropFirst(mapped.count))) }
        if bytes == Array(repeating: 0, count: 15) + [1] { return true }
        return bytes[0] & 0xfe == 0xfc || (bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80)
    }
}
