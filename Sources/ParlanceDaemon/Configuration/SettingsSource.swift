import Configuration
import Foundation
import ParlanceControl
import ParlanceErrorCode
package import ParlanceProfile
import ParlanceWords

/// Where a node has its settings from, so that they can be read again while it runs: flags, then `PARLANCE_*` in the
/// environment, then `config.yaml`. The earlier source wins.
package struct SettingsSource: Sendable {
    /// The prefix of our environment variables.
    static let prefix = "PARLANCE_"

    /// The configuration file.
    package let file: String
    private let isFileNamed: Bool
    private let variables: any ConfigSnapshot
    private let flags: FlagValues

    /// - Parameters:
    ///   - file: the configuration file that the user named; nil takes the one of the profile.
    ///   - flags: the values given on the command line.
    package init(
        file: String?,
        profile: String? = nil,
        environment: [String: String] = [:],
        flags: FlagValues = FlagValues()
    ) {
        let path = file ?? Self.standardFile(profile, environment)
        self.file = URL(fileURLWithPath: path).standardizedFileURL.path
        isFileNamed = file != nil
        let own = environment.filter { $0.key.hasPrefix(Self.prefix) }
            .map { (String($0.key.dropFirst(Self.prefix.count)), $0.value) }
        variables = EnvironmentVariablesProvider(environmentVariables: Dictionary(own) { $1 }).snapshot()
        self.flags = flags
    }

    /// Reads the settings; throws an error that names a wrong one, with its place.
    package func load() throws(DaemonError) -> Settings {
        let bytes = try SettingsFile.bytes(at: file)
        guard bytes != nil || !isFileNamed else {
            throw DaemonError(
                .invalidValue,
                "There is no configuration file at \(file).",
                advice: "Make it, or leave --config out."
            )
        }
        let contents = try bytes.map { bytes throws(DaemonError) in try SettingsFile(bytes, path: file) }
        var settings = Settings()
        for key in SettingKey.allCases {
            if let texts = flags.values[key] {
                try settings.read(texts, of: key, at: .flag)
            } else if let texts = try variables.texts(of: key, spelled: key.rawValue, at: .variable) {
                try settings.read(texts, of: key, at: .variable)
            } else {
                try contents?.read(key, into: &settings)
            }
        }
        return settings
    }

    /// Whether a variable of this environment gives a setting, be its value right or wrong.
    func isInEnvironment(_ key: SettingKey) -> Bool {
        do {
            return try variables.texts(of: key, spelled: key.rawValue, at: .variable) != nil
        } catch { return true }
    }

    /// `$XDG_CONFIG_HOME/parlance[/profiles/NAME]/config.yaml`
    private static func standardFile(_ profile: String?, _ environment: [String: String]) -> String {
        let given = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let base = given ?? (ControlPaths.home(environment) ?? "") + "/.config"
        return base + "/parlance" + (profile.map { "/profiles/\($0)" } ?? "") + "/config.yaml"
    }
}

extension ConfigSnapshot {
    /// The value of a setting as texts; `nil` if this source has none. A value of another form is an error that names
    /// its place, never a silent default.
    func texts(of key: SettingKey, spelled: String, at place: SettingPlace) throws(DaemonError) -> [String]? {
        let name = AbsoluteConfigKey([spelled])
        do {
            return try value(forKey: name, type: key.descriptor.form.type).value?.content.texts
        } catch {
            // A value of any form can be read as a text or as a list of texts.
            let text = try? value(forKey: name, type: .string).value
            let given = text ?? (try? value(forKey: name, type: .stringArray).value)
            let texts = given?.content.texts?.joined(separator: ", ")
            throw SettingFault.form.error(key, at: place, texts.map { [$0] } ?? [])
        }
    }
}

extension SettingDescriptor.Form {
    fileprivate var type: ConfigType {
        switch self {
        case .text, .word: .string
        case .number: .int
        case .flag: .bool
        case .list: .stringArray
        }
    }
}

extension ConfigContent {
    fileprivate var texts: [String]? {
        switch self {
        case .string(let text): [text]
        case .int(let number): ["\(number)"]
        case .bool(let flag): ["\(flag)"]
        case .stringArray(let texts): texts
        default: nil
        }
    }
}
