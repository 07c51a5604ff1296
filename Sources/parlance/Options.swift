import ArgumentParser
import ParlanceControl
import ParlanceWords

/// The options of every command.
struct Options: ParsableArguments {
    @Flag(help: "Print JSON, one value per line.")
    var json = false

    @Option(help: ArgumentHelp("Talk to the daemon that was started with this profile.", valueName: "name"))
    var profile: String?

    @Option(
        help: ArgumentHelp("Talk to the daemon that has this data folder.", valueName: "dir"),
        completion: .directory
    )
    var dataDir: String?

    @Option(help: ArgumentHelp("Talk to the daemon at this socket.", valueName: "path"), completion: .file())
    var socket: String?

    @Flag(help: "As root: talk to the daemon of another user too.")
    var anyUser = false

    /// Where the daemon that is meant has its files and its socket.
    var paths: ControlPaths {
        get throws(ControlError) {
            try ControlPaths(
                profile: profile,
                dataDirectory: dataDir,
                socket: socket,
                environment: Terminal.environment
            )
        }
    }

    /// The same options in the form that the daemon takes, to show how to start it.
    var forDaemon: String {
        [("--profile", profile), ("--data-dir", dataDir), ("--socket", socket)].reduce("") { text, option in
            option.1.map { "\(text) \(ShellWord.option(option.0, $0))" } ?? text
        }
    }

    /// How to start the daemon that did not answer.
    ///
    /// - Parameters:
    ///   - daemon: the options for `parlanced`, with a space before each.
    ///   - canBeService: whether `parlance service install` makes it one.
    ///   - isDefault: whether nothing says which daemon is meant: one with a folder of its own may run, and to start another
    ///     would make another identity.
    static func startAdvice(daemon: String, canBeService: Bool, hasSystemd: Bool, isDefault: Bool = false) -> Phrase {
        let advice = starting(daemon, canBeService, hasSystemd)
        guard isDefault else { return advice }
        return Phrase("If it runs with --data-dir or --profile, give the same here. \(advice)")
    }

    private static func starting(_ daemon: String, _ canBeService: Bool, _ hasSystemd: Bool) -> Phrase {
        let start = Phrase("Start it with: parlanced\(daemon)")
        guard hasSystemd else {
            return Phrase("\(start). To let it run in the background: nohup parlanced\(daemon) &")
        }
        guard canBeService else { return start }
        return Phrase("\(start). To start it now and at each login: parlance service install")
    }

    /// The same options for a part of `parlanced`.
    var words: [String] {
        let given = [("--profile", profile), ("--data-dir", dataDir), ("--socket", socket)]
        return (json ? ["--json"] : []) + given.flatMap { name, value in value.map { [name, $0] } ?? [] }
    }

    /// Whose daemon may be meant, for a part of `parlanced` that talks to it.
    var userWords: [String] { anyUser ? ["--any-user"] : [] }

    /// Whether the daemon that is meant can be a service, which is found by its profile alone.
    func canBeService(_ environment: [String: String]) -> Bool {
        dataDir == nil && socket == nil && environment["PARLANCE_SOCKET"] == nil
    }
}
