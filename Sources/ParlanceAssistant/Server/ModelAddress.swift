import NIOCore

/// Where a model server listens, as people write it: `http://HOST:PORT` or `http://HOST:PORT/v1`.
///
/// Both forms mean the same. HOST is a name, an IPv4 address, or an IPv6 address in brackets, which can have a zone.
package struct ModelAddress: Hashable, Sendable {
    /// A name or numeric address, without brackets, in small letters, in the form that `getaddrinfo` reads.
    package let host: String
    /// From 1 to 65535.
    package let port: Int

    /// Throws when the text is anything but the two forms above. Nothing is guessed: no default port, no other path.
    package init(parsing text: String) throws(ModelAddressError) {
        let rest = try Self.withoutScheme(text)
        if rest.contains("?") || rest.contains("#") { throw .hasQuery }
        if rest.contains("@") { throw .hasUserInfo }
        let authority = rest.prefix { $0 != "/" }
        let path = rest.dropFirst(authority.count)
        guard ["", "/", "/v1", "/v1/"].contains(path) else { throw .unknownPath }
        let (host, port) = try Self.split(authority)
        self.host = host
        self.port = port
    }

    /// What the `Host` header says. A zone means something on this machine only, so it is left out.
    var authority: String {
        let name = host.prefix { $0 != "%" }
        return host.contains(":") ? "[\(name)]:\(port)" : "\(name):\(port)"
    }

    private static func withoutScheme(_ text: String) throws(ModelAddressError) -> Substring {
        guard let end = text.firstRange(of: "://") else { throw .missingScheme }
        switch text[..<end.lowerBound].lowercased() {
        case "http": return text[end.upperBound...]
        case "https": throw .encryptionNotSupported
        default: throw .unknownScheme
        }
    }

    private static func split(_ authority: Substring) throws(ModelAddressError) -> (host: String, port: Int) {
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { throw .invalidHost }
            let host = try numericHost(authority[..<end].dropFirst())
            return (host, try port(authority[end...].dropFirst()))
        }
        let host = authority.prefix { $0 != ":" }
        guard isName(host) else { throw .invalidHost }
        return (host.lowercased(), try port(authority.dropFirst(host.count)))
    }

    private static func numericHost(_ text: Substring) throws(ModelAddressError) -> String {
        let plain = text.prefix { $0 != "%" }
        guard plain.contains(":"), (try? SocketAddress(ipAddress: String(plain), port: 0)) != nil else {
            throw .invalidHost
        }
        var zone = text.dropFirst(plain.count)
        guard !zone.isEmpty else { return plain.lowercased() }
        // A zone in a URL starts with "%25" (RFC 6874); many people write "%".
        zone = zone.hasPrefix("%25") ? zone.dropFirst(3) : zone.dropFirst()
        guard isName(zone) else { throw .invalidHost }
        return "\(plain.lowercased())%\(zone)"
    }

    private static func port(_ text: Substring) throws(ModelAddressError) -> Int {
        guard !text.isEmpty else { throw .missingPort }
        let digits = text.dropFirst()
        guard text.first == ":", digits.count <= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(digits), (1...65535).contains(port)
        else { throw .invalidPort }
        return port
    }

    private static func isName(_ text: Substring) -> Bool {
        let signs = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
        // 253 bytes is the longest name that DNS has.
        return signs && (1...253).contains(text.utf8.count) && text.first != "." && text.first != "-"
    }
}

extension ModelAddress: CustomStringConvertible {
    /// The whole form, for example `http://127.0.0.1:11434/v1` or `http://[fe80::1%eth0]:8080/v1`.
    package var description: String {
        host.contains(":") ? "http://[\(host)]:\(port)/v1" : "http://\(host):\(port)/v1"
    }
}
