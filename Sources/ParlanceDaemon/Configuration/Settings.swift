package import Configuration
import Foundation
import Logging
import ParlanceCore
import ParlanceNetwork

/// The settings of a node: from `config.yaml`, then `PARLANCE_*` in the environment, then flags. The later source wins.
package struct Settings: Sendable {
    /// The name to announce; `nil` keeps the stored one.
    package var name: String?
    /// The port for links; if it is not free, the node takes any other.
    package var port: Int
    /// Numeric addresses to listen at; empty means all.
    package var listen: [String]
    /// Static addresses, `host:port` or `[address]:port`.
    package var peers: [String]
    /// Who speaks mDNS: `auto`, `system`, `embedded` or `off`.
    package var mdns: String
    /// The only network interfaces for mDNS; empty means all.
    package var mdnsInterfaces: [String]
    /// Do not announce the peer ID, and dial only known addresses.
    package var hidden: Bool
    /// Who is accepted without asking: `workspace` (its members) or `nobody`.
    package var autoAccept: String
    package var logLevel: String
    /// Where each value was found.
    var origins: SettingOrigins

    /// Reads the settings.
    ///
    /// - Parameters:
    /// - file: the configuration file; it may be missing unless the user named it.
    /// - flags: the values given on the command line, by their keys.
    package static func load(
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
        let variables = environment.filter { $0.key.hasPrefix(SettingOrigins.prefix) }
            .map { (String($0.key.dropFirst(SettingOrigins.prefix.count)), $0.value) }
        let flagValues = flags.map { (AbsoluteConfigKey([$0.key]), $0.value) }
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "flags", values: Dictionary(flagValues) { $1 }),
            EnvironmentVariablesProvider(environmentVariables: Dictionary(variables) { $1 }),
        ]
        if let provider = try await SettingsFile(path: file).provider() { providers.append(provider) }
        let settings = try await read(
            ConfigReader(providers: providers),
            SettingOrigins(flags: flags.keys, variables: variables.map(\.0), file: file)
        )
        try settings.checkListen()
        return settings
    }

    private static func read(_ reader: ConfigReader, _ origins: SettingOrigins) async throws(DaemonError) -> Settings {
        let source = Source(reader: reader, origins: origins)
        return Settings(
            name: try await source.value(.name, "a text") { try await reader.fetchString(forKey: $0) },
            port: try await source.value(.port, "a number") {
                try await reader.fetchInt(forKey: $0, default: Int(LinkService.preferredPort))
            },
            listen: try await source.value(.listen, "a list of addresses") {
                try await reader.fetchStringArray(forKey: $0, default: [])
            },
            peers: try await source.value(.peers, "a list of addresses") {
                try await reader.fetchStringArray(forKey: $0, default: [])
            },
            mdns: try await source.value(.mdns, "a word") {
                try await reader.fetchString(forKey: $0, default: DiscoveryMode.auto.rawValue)
            },
            mdnsInterfaces: try await source.value(.mdnsInterfaces, "a list of names") {
                try await reader.fetchStringArray(forKey: $0, default: [])
            },
            hidden: try await source.value(.hidden, "true or false") {
                try await reader.fetchBool(forKey: $0, default: false)
            },
            autoAccept: try await source.value(.autoAccept, "a word") {
                try await reader.fetchString(forKey: $0, default: AutoAccept.workspace.rawValue)
            },
            logLevel: try await source.value(.logLevel, "a word") {
                try await reader.fetchString(forKey: $0, default: Logger.Level.info.rawValue)
            },
            origins: origins
        )
    }

    /// The source of the settings.
    private struct Source {
        let reader: ConfigReader
        let origins: SettingOrigins

        /// Reads one setting; a value of the wrong type is an error that names it, never a silent default.
        func value<Value>(
            _ key: SettingKey,
            _ shape: String,
            _ fetch: (ConfigKey) async throws -> Value
        ) async throws(DaemonError) -> Value {
            let name = ConfigKey([key.rawValue])
            do {
                return try await fetch(name)
            } catch {
                // A value of any type can be read as a string or as a list of strings.
                let given = reader.string(forKey: name) ?? reader.stringArray(forKey: name)?.joined(separator: ", ")
                throw DaemonError(
                    "\(origins.place(of: key)): \"\((given ?? "").withoutControlCharacters)\" does not fit.",
                    advice: "It takes \(shape); see parlanced --help."
                )
            }
        }
    }
}
