import Foundation

/// A daemon with its own folder, independent of the user's settings.
final class Node {
    private static let readySeconds = 15

    /// A part may write more than people do in a day.
    private static let settings = "message-quota: off\n"

    let name: String
    private let folder: String
    private let program: String
    private var process: ChildProcess?
    /// The length of the log before the last start.
    private var said = 0

    init(name: String, in folder: String, program: String) throws {
        self.name = name
        self.folder = "\(folder)/\(name.lowercased())"
        self.program = program
        for folder in ["run", "config/parlance"] {
            try FileManager.default.createDirectory(
                atPath: "\(self.folder)/\(folder)",
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
        try Data(Self.settings.utf8).write(to: URL(fileURLWithPath: "\(self.folder)/config/parlance/config.yaml"))
    }

    var socket: String { "\(folder)/data/control.sock" }
    var log: String { "\(folder)/log" }

    var pid: pid_t {
        get throws {
            guard let process else { throw BenchError("\(name)'s daemon does not run") }
            return process.pid
        }
    }

    /// The environment of the daemon and of commands for it.
    var environment: [String: String] {
        var variables = [
            "LANG": "C.UTF-8", "HOME": folder, "XDG_CONFIG_HOME": "\(folder)/config",
            "XDG_DATA_HOME": "\(folder)/share", "XDG_STATE_HOME": "\(folder)/state", "XDG_RUNTIME_DIR": "\(folder)/run",
            "PARLANCE_SOCKET": socket,
        ]
        for name in ["PATH", "LD_LIBRARY_PATH", "TZ"] { variables[name] = ProcessInfo.processInfo.environment[name] }
        return variables
    }

    /// Starts the daemon and waits until it answers.
    ///
    /// - Returns: the milliseconds until then.
    @discardableResult
    func start(_ arguments: [String], variables: [String: String] = [:]) throws -> Double {
        let began = ContinuousClock.now
        try spawn(arguments, variables: variables)
        return (try answered(since: began) - began).milliseconds
    }

    /// Starts the daemon without waiting.
    func spawn(_ arguments: [String], variables: [String: String] = [:]) throws {
        let own = ["--data-dir", "\(folder)/data", "--name", name, "--log-level", "warning"]
        said = (try? String(contentsOfFile: log, encoding: .utf8).count) ?? 0
        process = try ChildProcess(
            [program] + own + arguments,
            output: log,
            errors: log,
            environment: environment.merging(variables) { $1 }
        )
    }

    /// Asks the daemon to stop and waits for its end.
    func stop() throws {
        guard let process else { return }
        while process.isRunning, try isStarting { poll(nil, 0, 5) }
        self.process = nil
        let code = process.stop()
        guard code == 0 else { throw BenchError("\(name)'s daemon ended with code \(code)") }
    }

    /// Whether SIGTERM would kill the daemon at once: it answers requests before it prints `ready:`, and handles
    /// signals only from then on.
    private var isStarting: Bool {
        get throws {
            let text = try String(contentsOfFile: log, encoding: .utf8)
            return !text.dropFirst(said).contains("ready:")
        }
    }

    /// Tries the socket every millisecond until the daemon answers `status`; returns when it did.
    private func answered(since began: ContinuousClock.Instant) throws -> ContinuousClock.Instant {
        while let process, process.isRunning, .now - began < .seconds(Self.readySeconds) {
            if let connection = try? ControlConnection(socket), (try? connection.reply(to: "status")) != nil {
                return .now
            }
            poll(nil, 0, 1)
        }
        let ended = process?.isRunning != true
        let what = ended ? "ended before it answered" : "did not answer within \(Self.readySeconds) s"
        throw BenchError("\(name)'s daemon \(what)")
    }
}
