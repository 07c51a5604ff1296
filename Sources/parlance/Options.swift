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
    ///   - service: those for `parlance service install`; nil if it cannot be a service.
    static func startAdvice(daemon: String, service: String?, hasSystemd: Bool) -> Phrase {
        let start = Phrase("Start it with: parlanced\(daemon)")
        guard hasSystemd else {
            return Phrase("\(start). To let it run in the background: nohup parlanced\(daemon) &")
        }
        guard let service else { return start }
        return Phrase("\(start). To start it now and at each login: parlance service install\(service)")
    }

    /// The same options for a part of `parlanced`.
    var words: [String] {
        let given = [("--profile", profile), ("--data-dir", dataDir), ("--socket", socket)]
        return (json ? ["--json"] : []) + given.flatMap { name, value in value.map { [name, $0] } ?? [] }
    }

    /// Whose daemon may be meant, for a part of `parlanced` that talks to it.
    var userWords: [String] { anyUser ? ["--any-user"] : [] }

    /// The same for `parlance service install`; nil if the daemon that is meant cannot be a service.
    func forService(_ environment: [String: String]) -> String? {
        guard dataDir == nil, socket == nil, environment["PARLANCE_SOCKET"] == nil else { return nil }
        return profile.map { " " + ShellWord.option("--profile", $0) } ?? ""
    }
}
