import Glibc
package import ParlanceCore
import ParlanceNetwork

extension Endpoint {
    /// Parses `host:port` or `[IPv6]:port`; without a port, takes `LinkService.preferredPort`.
    package init?(text: String) {
        var host = Substring(text)
        var port = LinkService.preferredPort
        if host.hasPrefix("["), let end = host.lastIndex(of: "]") {
            let rest = host[host.index(after: end)...]
            host = host[host.index(after: host.startIndex)..<end]
            if !rest.isEmpty {
                guard rest.hasPrefix(":"), let number = UInt16(rest.dropFirst()), number > 0 else { return nil }
                port = number
            }
        } else if let colon = host.lastIndex(of: ":"), host.firstIndex(of: ":") == colon {
            guard let number = UInt16(host[host.index(after: colon)...]), number > 0 else { return nil }
            port = number
            host = host[..<colon]
        }
        guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0 == "[" || $0 == "]" }) else { return nil }
        guard !host.contains(":") || Self.isIPv6(host) else { return nil }
        self.init(host: String(host), port: port)
    }

    /// Whether a host with colons is an address; it may name its zone (fe80::1%eth0).
    private static func isIPv6(_ host: Substring) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET6, String(host.prefix { $0 != "%" }), &address) == 1
    }
}
