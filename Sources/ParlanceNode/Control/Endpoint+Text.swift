package import ParlanceCore
import ParlanceNetwork
import ParlanceWire

extension Endpoint {
    /// Parses `host:port` or `[IPv6]:port`; without a port, takes `LinkService.preferredPort`.
    package init?(text: String) {
        var host = Substring(text)
        var port = LinkService.preferredPort
        if host.hasPrefix("["), let end = host.lastIndex(of: "]") {
            let rest = host[host.index(after: end)...]
            host = host[host.index(after: host.startIndex)..<end]
            if !rest.isEmpty {
                guard rest.first == ":", let number = Self.port(rest.dropFirst()) else { return nil }
                port = number
            }
        } else if let colon = host.lastIndex(of: ":"), host.firstIndex(of: ":") == colon {
            guard let number = Self.port(host[host.index(after: colon)...]) else { return nil }
            port = number
            host = host[..<colon]
        }
        guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0 == "[" || $0 == "]" }) else { return nil }
        // A host with colons is an IPv6 address, and only such an address has a zone (fe80::1%eth0).
        guard !host.contains(where: { $0 == ":" || $0 == "%" }) || ZonedAddress(host) != nil else { return nil }
        self.init(host: String(host), port: port)
    }

    /// Whether its host can be one computer's: an address that is not for many and not for none, or a name as RFC 1123,
    /// section 2.1, has them (underscores and letters of all scripts are let through: some networks have such names).
    package var canBeOfComputer: Bool {
        if let place = ZonedAddress(host) { return place.address.range != .unusable }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let named = labels.last?.isEmpty == true ? labels.dropLast() : labels[...]
        // A name whose last part is a number is an address that is written wrong.
        guard let last = named.last, !last.allSatisfy(\.isNumber) else { return false }
        return named.allSatisfy { label in
            !label.isEmpty && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        }
    }

    private static func port(_ text: Substring) -> UInt16? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(text), port > 0 else {
            return nil
        }
        return port
    }
}
