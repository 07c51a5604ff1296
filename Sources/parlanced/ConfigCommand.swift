import ArgumentParser
import ParlanceControl
import ParlanceDaemon
import ParlanceWords

/// The part of `parlance config` that knows the settings and reads YAML. People use that command; this one is hidden.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "The part of parlance config that reads and writes the file.",
        shouldDisplay: false
    )

    enum Action: String, ExpressibleByArgument {
        case list, get, set
    }

    @Argument var action: Action

    /// The setting, then its values.
    @Argument var words: [String] = []

    @Flag var json = false

    @Flag var anyUser = false

    @Flag(name: .customLong("default"))
    var isDefault = false

    @OptionGroup var places: Places

    func validate() throws {
        guard action == .list || !words.isEmpty else { throw ValidationError(say("Name a setting.")) }
    }

    func run() async throws {
        // Programs read English.
        try await Language.$current.withValue(json ? .english : .current) { try await perform() }
    }

    private func perform() async throws {
        do throws(ControlFailure) {
            let settings = try SettingsCommand(
                configuration: places.config,
                profile: places.profile,
                dataDirectory: places.dataDir,
                socket: places.socket,
                ofAnyUser: anyUser,
                environment: ProgramEnvironment.all
            )
            switch action {
            case .list: try CommandOutput.show(try await settings.list(json: json), json: json, onlyShows: true)
            case .get: try CommandOutput.show(try await settings.get(words[0], json: json), json: json, onlyShows: true)
            case .set:
                let change = try await settings.set(words[0], to: isDefault ? nil : Array(words.dropFirst()))
                try CommandOutput.show(json ? [change.json] : change.lines, json: json)
                if let failure = change.failure { throw failure }
            }
        } catch {
            try CommandOutput.fail(error, json: json)
        }
    }
}
