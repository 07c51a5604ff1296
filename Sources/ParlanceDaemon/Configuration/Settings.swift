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

    /// The settings of a node that is told nothing.
    static let standard = Settings(
        name: nil,
        port: Int(LinkService.preferredPort),
        listen: [],
        peers: [],
        mdns: DiscoveryMode.auto.rawValue,
        mdnsInterfaces: [],
        hidden: false,
        autoAccept: AutoAccept.workspace.rawValue,
        logLevel: Logger.Level.info.rawValue,
        origins: SettingOrigins(flags: [], variables: [], file: "", lines: [:])
    )

    /// The value of a setting as it is given on a command line: one text, any number of them for a list, none for a name
    /// that is not set.
    func values(of key: SettingKey) -> [String] {
        switch key {
        case .name: name.map { [$0] } ?? []
        case .port: ["\(port)"]
        case .listen: listen
        case .peers: peers
        case .mdns: [mdns]
        case .mdnsInterfaces: mdnsInterfaces
        case .hidden: ["\(hidden)"]
        case .autoAccept: [autoAccept]
        case .logLevel: [logLevel]
        }
    }

    /// Reads the settings and checks them.
    ///
    /// - Parameters:
    ///   - file: the configuration file; it may be missing unless the user named it.
    ///   - flags: the values given on the command line, by their keys.
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
        return try await load(SettingsFile(path: file), environment, flags)
    }

    static func load(
        _ file: SettingsFile,
        _ environment: [String: String] = [:],
        _ flags: [String: ConfigValue] = [:]
    ) async throws(DaemonError) -> Settings {
        let variables = environment.filter { $0.key.hasPrefix(SettingOrigins.prefix) }
            .map { (String($0.key.dropFirst(SettingOrigins.prefix.count)), $0.value) }
        let flagValues = flags.map { (AbsoluteConfigKey([$0.key]), $0.value) }
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "flags", values: Dictionary(flagValues) { $1 }),
            EnvironmentVariablesProvider(environmentVariables: Dictionary(variables) { $1 }),
        ]
        let contents = try await file.read()
        if let provider = contents.provider { providers.append(provider) }
        var origins = SettingOrigins(
            flags: flags.keys,
            variables: variables.map(\.0),
            file: file.shownPath,
            lines: contents.lines
        )
        origins.given = file.given
        let settings = try await read(ConfigReader(providers: providers), origins)
        try settings.check()
        return settings
    }

    private static func read(_ reader: ConfigReader, _ origins: SettingOrigins) async throws(DaemonError) -> Settings {
        let source = Source(reader: reader, origins: origins)
        return Settings(
            name: try await source.value(.name) { try await reader.fetchString(forKey: $0) },
            port: try await source.value(.port) { try await reader.fetchInt(forKey: $0, default: standard.port) },
            listen: try await source.list(.listen),
            peers: try await source.list(.peers),
            mdns: try await source.word(.mdns, standard.mdns),
            mdnsInterfaces: try await source.list(.mdnsInterfaces),
            hidden: try await source.value(.hidden) {
                try await reader.fetchBool(forKey: $0, default: standard.hidden)
            },
            autoAccept: try await source.word(.autoAccept, standard.autoAccept),
            logLevel: try await source.word(.logLevel, standard.logLevel),
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
                    advice: "It takes \(key.form.words). See: parlance config list"
                )
            }
        }

        func list(_ key: SettingKey) async throws(DaemonError) -> [String] {
            try await value(key) { try await reader.fetchStringArray(forKey: $0, default: []) }
        }

        func word(_ key: SettingKey, _ standard: String) async throws(DaemonError) -> String {
            try await value(key) { try await reader.fetchString(forKey: $0, default: standard) }
        }
    }
}

extension SettingKey.Form {
    /// What a value has to be, for people.
    var words: String {
        switch self {
        case .text: "a text"
        case .number: "a number"
        case .flag: "true or false"
        case .list: "a list of texts, such as [\"one\", \"two\"]"
        case .word(let known): "one of " + known.joined(separator: ", ")
        }
    }
}
