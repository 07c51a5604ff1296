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
        self.init(host: String(host), port: port)
    }
}
