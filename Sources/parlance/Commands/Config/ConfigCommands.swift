import ArgumentParser
import ParlanceControl
import ParlanceWords

/// What the commands about the configuration file take.
struct ConfigOptions: ParsableArguments {
    @OptionGroup var options: Options

    @Option(
        help: ArgumentHelp(
            "The configuration file (default: that of the running node, else of the profile).",
            valueName: "file"
        ),
        completion: .file()
    )
    var config: String?

    /// Becomes `parlanced config ...`, which knows the settings and reads YAML. Returns only by throwing.
    func become(_ subcommand: String, flags own: [String] = [], _ arguments: [String]) async throws {
        try await ErrorOutput.reporting(json: options.json) {
            let given = [
                ("--profile", options.profile), ("--data-dir", options.dataDir), ("--socket", options.socket),
                ("--config", config),
            ]
            let flags = given.flatMap { name, value in value.map { [name, $0] } ?? [] }
            let words = ["config", subcommand] + (options.json ? ["--json"] : []) + options.userWords + own + flags
            try InstalledPrograms.becomeDaemon(words + ["--"] + arguments)
        }
    }
}

/// `parlance config list`
struct ConfigListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show every setting: its value, where it comes from, and what it means.",
        discussion: """
            What it prints is a configuration file with comments.

            Example: parlance config list
            """
    )

    @OptionGroup var options: ConfigOptions

    func run() async throws {
        try await options.become("list", [])
    }
}

/// `parlance config get KEY`
struct ConfigGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print the value of one setting; a list one text per line.",
        discussion: "Example: parlance config get log-level"
    )

    @Argument(help: "The setting; 'parlance config list' shows all.", completion: Completions.setting)
    var key: String

    @OptionGroup var options: ConfigOptions

    func run() async throws {
        try await options.become("get", [key])
    }
}

/// `parlance config set KEY VALUE...`
struct ConfigSetCommand: AsyncParsableCommand, NumberCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change one setting in the configuration file.",
        discussion: """
            The other lines of the file and its comments stay. A wrong value changes nothing. A running node takes the \
            change over, and the command says whether it needs a restart.

            Examples: parlance config set log-level debug
                      parlance config set peers ship.lan:4747 192.0.2.7:4747
                      parlance config set peers --default
            """
    )

    static var numbers: Phrase { Phrase("'parlance config list' says what each setting takes.") }

    @Argument(help: "The setting; 'parlance config list' shows all.", completion: Completions.setting)
    var key: String

    @Argument(help: "The value; for a list, any number of values.")
    var values: [String] = []

    @Flag(name: .customLong("default"), help: "Remove the setting from the file, so that its default holds.")
    var isDefault = false

    @OptionGroup var options: ConfigOptions

    func validate() throws {
        guard !isDefault || values.isEmpty else { throw ValidationError(say("Give values or --default, not both.")) }
    }

    func run() async throws {
        try await options.become("set", flags: isDefault ? ["--default"] : [], [key] + values)
    }
}

/// `parlance config reload`
struct ConfigReloadCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Let the running node read its configuration file again.",
        discussion: """
            Do it after you edited the file; 'parlance config set' does it by itself. If the file is wrong, the node keeps \
            the settings that it has. 'systemctl --user reload parlanced' does the same, and so does SIGHUP, unless the daemon \
            was started from a terminal without nohup.

            Example: parlance config reload
            """
    )

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(ConfigReloadOperation()) { reply in
            let restart = reply.restart.map { say("\($0) needs a restart of the daemon.") }
            let applied = reply.applied.isEmpty ? [] : [say("In force now: \(reply.applied.joined(separator: ", ")).")]
            let lines = applied + restart
            return (lines.isEmpty ? [say("\(reply.file) changes nothing.")] : lines).map(VisibleText.line)
        }
    }
}
