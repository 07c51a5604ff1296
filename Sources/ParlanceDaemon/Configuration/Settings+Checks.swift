package import Logging
import NIOCore
import ParlanceControl
package import ParlanceCore
package import ParlanceNetwork

// Checks beyond the types: each error names the source of the value, the value, and what is valid.
extension Settings {
    /// Checks every value; throws an error that names the first wrong one.
    func check() throws(DaemonError) {
        _ = try checkedName()
        _ = try portNumber()
        try checkListen()
        _ = try fixedEndpoints()
        _ = try discoveryMode()
        _ = try acceptsMembers()
        _ = try level()
    }

    /// The error of a word that is not among the known ones.
    private func unknownWord(_ key: SettingKey, _ word: String, _ problem: String, _ known: [String]) -> DaemonError {
        fault(
            key,
            "\"\(word.withoutControlCharacters)\" \(problem).\(NearestWord.question(word, among: known))",
            advice: "Use one of: " + known.joined(separator: ", ") + "."
        )
    }

    private func fault(_ key: SettingKey, _ message: String, advice: String) -> DaemonError {
        DaemonError("\(origins.place(of: key)): \(message)", advice: advice)
    }

    /// The static addresses; a malformed one throws an error that names it.
    package func fixedEndpoints() throws(DaemonError) -> [Endpoint] {
        var endpoints: [Endpoint] = []
        for text in peers {
            guard let endpoint = Endpoint(text: text) else {
                throw fault(
                    .peers,
                    "\"\(text.withoutControlCharacters)\" is not the address of a peer.",
                    advice: "Write HOST:PORT, 192.0.2.7:4747 or [2001:db8::7]:4747."
                )
            }
            endpoints.append(endpoint)
        }
        return endpoints
    }

    package func discoveryMode() throws(DaemonError) -> DiscoveryMode {
        guard let mode = DiscoveryMode(rawValue: mdns) else {
            throw unknownWord(.mdns, mdns, "is not a way to use mDNS", DiscoveryMode.allCases.map(\.rawValue))
        }
        return mode
    }

    /// Whether members of the workspace are accepted automatically.
    package func acceptsMembers() throws(DaemonError) -> Bool {
        guard let who = AutoAccept(rawValue: autoAccept) else {
            throw unknownWord(
                .autoAccept,
                autoAccept,
                "does not say who is accepted",
                AutoAccept.allCases.map(\.rawValue)
            )
        }
        return who == .workspace
    }

    package func portNumber() throws(DaemonError) -> UInt16 {
        guard let number = UInt16(exactly: port) else {
            throw fault(.port, "\(port) is not a valid port.", advice: "Use a number from 0 (any) to 65535.")
        }
        return number
    }

    package func checkedName() throws(DaemonError) -> String? {
        guard let name else { return nil }
        let shown = name.withoutControlCharacters
        if let reason = name.faultAsName {
            throw fault(.name, "The name \"\(shown)\" cannot be used.", advice: "A name \(reason.text).")
        }
        return shown
    }

    package func level() throws(DaemonError) -> Logger.Level {
        guard let level = Logger.Level(rawValue: logLevel) else {
            throw unknownWord(.logLevel, logLevel, "is not a log level", Logger.Level.allCases.map(\.rawValue))
        }
        return level
    }

    /// Checks the form only: whether they are addresses of this machine shows when the node listens.
    func checkListen() throws(DaemonError) {
        for text in listen where (try? SocketAddress(ipAddress: text, port: 0)) == nil {
            throw fault(
                .listen,
                "\"\(text.withoutControlCharacters)\" is not a numeric address.",
                advice: "Give addresses of this machine such as 192.0.2.7 or ::1, or none for all."
            )
        }
    }
}

/// Who is accepted without asking the user.
enum AutoAccept: String, CaseIterable {
    case workspace, nobody
}

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
