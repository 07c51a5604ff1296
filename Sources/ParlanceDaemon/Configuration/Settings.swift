import Configuration
import Foundation
import ParlanceCore
import ParlanceNetwork
import ParlanceWire
import SystemPackage

/// What a person can set: in `config.yaml`, then `PARLANCE_*` in the environment, then flags; the later wins.
package struct Settings: Sendable {
    /// The name to announce; `nil` keeps the stored one.
    package var name: String?
    /// The port for links; taken if it is free, else any.
    package var port: Int
    /// Numeric addresses to take links at; empty means all.
    package var listen: [String]
    /// Static addresses, `host:port` or `[address]:port`.
    package var peers: [String]
    /// Who speaks mDNS: `auto`, `system`, `embedded` or `off`.
    package var mdns: String
    /// The only network interfaces to speak mDNS on; empty means all.
    package var mdnsInterfaces: [String]
    /// Announce nothing of the peer ID, and dial only addresses that are known.
    package var hidden: Bool
    package var logLevel: String

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - file: the configuration file; it need not be there unless it was named.
    ///   - flags: values given on the command line, by their keys.
    static func load(
        file: String,
        isFileNamed: Bool,
        environment: [String: String],
        flags: [String: ConfigValue]
    ) async throws(DaemonError) -> Settings {
        guard !isFileNamed || FileManager.default.fileExists(atPath: file) else {
            throw DaemonError(
                "There is no configuration file at \(file).",
                advice: "Make it, or leave --config out."
            )
        }
        let values = Dictionary(uniqueKeysWithValues: flags.map { (AbsoluteConfigKey([$0.key]), $0.value) })
        let own = environment.filter { $0.key.hasPrefix("PARLANCE_") }
            .map { (String($0.key.dropFirst("PARLANCE_".count)), $0.value) }
        let reader: ConfigReader
        do {
            var providers: [any ConfigProvider] = [
                InMemoryProvider(name: "flags", values: values),
                EnvironmentVariablesProvider(environmentVariables: Dictionary(own) { $1 }),
            ]
            if saysSomething(file) { providers.append(try await FileProvider<YAMLSnapshot>(filePath: FilePath(file))) }
            reader = ConfigReader(providers: providers)
        } catch {
            throw DaemonError(
                "The configuration file \(file) cannot be read: \(error)",
                advice: "Mend it, or move it away."
            )
        }
        return try await read(reader)
    }

    /// Whether there is a file with more in it than comments, which YAML takes for no mapping.
    private static func saysSomething(_ file: String) -> Bool {
        guard FileManager.default.fileExists(atPath: file) else { return false }
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return true }
        return text.split(whereSeparator: \.isNewline).contains { line in
            line.first { !$0.isWhitespace }.map { $0 != "#" } ?? false
        }
    }

    private static func read(_ reader: ConfigReader) async throws(DaemonError) -> Settings {
        Settings(
            name: try await setting("name", "a text") { try await reader.fetchString(forKey: $0) },
            port: try await setting("port", "a number") {
                try await reader.fetchInt(forKey: $0, default: Int(LinkService.preferredPort))
            },
            listen: try await setting("listen", "a list of addresses") {
                try await reader.fetchStringArray(forKey: $0, default: [])
            },
            peers: try await setting("peers", "a list of addresses") {
                try await reader.fetchStringArray(forKey: $0, default: [])
            },
            mdns: try await setting("mdns", "a word") {
                try await reader.fetchString(forKey: $0, default: DiscoveryMode.auto.rawValue)
            },
            mdnsInterfaces: try await setting("mdns-interfaces", "a list of names") {
                try await reader.fetchStringArray(forKey: $0, default: [])
            },
            hidden: try await setting("hidden", "true or false") {
                try await reader.fetchBool(forKey: $0, default: false)
            },
            logLevel: try await setting("log-level", "a word") {
                try await reader.fetchString(forKey: $0, default: "info")
            }
        )
    }

    /// Reads one setting; a value of another shape is an error that names it, never a silent default.
    private static func setting<Value>(
        _ key: ConfigKey,
        _ shape: String,
        _ fetch: (ConfigKey) async throws -> Value
    ) async throws(DaemonError) -> Value {
        do {
            return try await fetch(key)
        } catch {
            throw DaemonError(
                "The setting \"\(key)\" has a value that does not fit.",
                advice: "It takes \(shape); see parlanced --help."
            )
        }
    }
}

extension Settings {
    /// The static addresses; a malformed one is an error that names it.
    func fixedEndpoints() throws(DaemonError) -> [Endpoint] {
        var endpoints: [Endpoint] = []
        for text in peers {
            guard let endpoint = Endpoint(text: text) else {
                throw DaemonError(
                    "\"\(text)\" is no address of a peer.",
                    advice: "Write HOST:PORT, 192.0.2.7:4747 or [2001:db8::7]:4747."
                )
            }
            endpoints.append(endpoint)
        }
        return endpoints
    }

    func discoveryMode() throws(DaemonError) -> DiscoveryMode {
        guard let mode = DiscoveryMode(rawValue: mdns) else {
            throw DaemonError(
                "\"\(mdns)\" is no way to speak mDNS.",
                advice: "Use one of: " + DiscoveryMode.allCases.map(\.rawValue).joined(separator: ", ") + "."
            )
        }
        return mode
    }

    func portNumber() throws(DaemonError) -> UInt16 {
        guard let number = UInt16(exactly: port) else {
            throw DaemonError("\(port) is no port.", advice: "Use a number from 0 (any) to 65535.")
        }
        return number
    }

    func checkedName() throws(DaemonError) -> String? {
        guard let name else { return nil }
        let shown = name.withoutControlCharacters
        if let fault = name.faultAsName {
            throw DaemonError("The name \"\(shown)\" cannot be used.", advice: "A name \(fault).")
        }
        return shown
    }
}

extension Endpoint {
    /// Reads `host:port` or `[IPv6]:port`; without a port, the preferred one.
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
