package import Configuration
import Foundation
import ParlanceControl

/// Where a node has its settings from, so that they can be read again while it runs.
package struct SettingsSource: Sendable {
    /// The configuration file.
    package let file: String
    private let isFileNamed: Bool
    private let environment: [String: String]
    private let flags: [String: ConfigValue]

    /// - Parameters:
    ///   - file: the configuration file that the user named; nil takes the one of the profile.
    ///   - flags: the values given on the command line, by their keys.
    package init(
        file: String?,
        profile: String? = nil,
        environment: [String: String] = [:],
        flags: [String: ConfigValue] = [:]
    ) {
        let path = file ?? Self.standardFile(profile, environment)
        self.file = URL(fileURLWithPath: path).standardizedFileURL.path
        isFileNamed = file != nil
        self.environment = environment
        self.flags = flags
    }

    /// Reads the settings; throws an error that names a wrong one, with its place.
    package func load() async throws(DaemonError) -> Settings {
        try await Settings.load(file: file, isFileNamed: isFileNamed, environment: environment, flags: flags)
    }

    /// `$XDG_CONFIG_HOME/parlance[/profiles/NAME]/config.yaml`
    private static func standardFile(_ profile: String?, _ environment: [String: String]) -> String {
        let given = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let base = given ?? (environment["HOME"] ?? "") + "/.config"
        return base + "/parlance" + (profile.map { "/profiles/\($0)" } ?? "") + "/config.yaml"
    }
}
