import ArgumentParser
import ParlanceDaemon

#if canImport(Glibc)
@preconcurrency import Glibc
#else
import Darwin
#endif

/// `parlanced config ...`
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show and change the settings of your node, whether or not it runs.",
        discussion: "The command parlance config is the same.",
        subcommands: [ConfigListCommand.self, ConfigGetCommand.self, ConfigSetCommand.self]
    )
}

/// A command about the settings.
protocol SettingsOperation: AsyncParsableCommand {
    var flags: Flags { get }
    var json: Bool { get }

    /// The lines to print.
    func lines(_ settings: SettingsCommand) async throws(DaemonError) -> [String]
}

extension SettingsOperation {
    func run() async throws {
        do throws(DaemonError) {
            for line in try await lines(try flags.settings()) { print(line) }
        } catch {
            fputs(json ? error.json + "\n" : error.lines, stderr)
            throw ExitCode(65)
        }
    }
}

/// `parlanced config list`
struct ConfigListCommand: SettingsOperation {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show every setting: its value, where it comes from, and what it means."
    )

    @Flag(help: "Print JSON, one value per line.")
    var json = false

    @OptionGroup(visibility: .hidden) var flags: Flags

    func lines(_ settings: SettingsCommand) async throws(DaemonError) -> [String] {
        try await settings.list(json: json)
    }
}

/// `parlanced config get KEY`
struct ConfigGetCommand: SettingsOperation {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print the value of one setting; a list one text per line."
    )

    @Flag(help: "Print JSON, one value per line.")
    var json = false

    @Argument(help: "The setting, such as log-level.")
    var key: String

    @OptionGroup(visibility: .hidden) var flags: Flags

    func lines(_ settings: SettingsCommand) async throws(DaemonError) -> [String] {
        try await settings.get(key, json: json)
    }
}

/// `parlanced config set KEY VALUE...`
struct ConfigSetCommand: SettingsOperation {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change one setting in the configuration file."
    )

    @Flag(help: "Print JSON, one value per line.")
    var json = false

    @Flag(name: .customLong("default"), help: "Remove the setting from the file, so that its default holds.")
    var isDefault = false

    @Argument(help: "The setting, such as log-level.")
    var key: String

    @Argument(help: "The value; for a list, any number of values.")
    var values: [String] = []

    @OptionGroup(visibility: .hidden) var flags: Flags

    func validate() throws {
        guard !isDefault || values.isEmpty else { throw ValidationError("Give values or --default, not both.") }
    }

    func lines(_ settings: SettingsCommand) async throws(DaemonError) -> [String] {
        try await settings.set(key, to: isDefault ? nil : values, json: json)
    }
}
