import Foundation
import ParlanceControl
import ParlanceWaiting
import Synchronization

/// One daemon of a lab: its folder, its arguments, and requests to it.
final class LabNode: Sendable {
    let lab: Lab
    let name: String
    let port: UInt16
    let folder: URL
    let socketPath: String
    /// The words before the daemon on its command line, such as `ip netns exec NAME`.
    private let runner: [String]
    private let arguments: [String]
    /// Whether the daemon gets its name as a flag.
    private let isNamed: Bool
    private let logLevel: String?
    private let state = Mutex(State())

    private struct State {
        var child: Child?
        var client: ControlClient?
    }

    /// The daemon did not become ready.
    struct NotReady: Error, CustomStringConvertible {
        let name: String
        let code: Int32
        let complaint: String
        var description: String { "\(name)'s daemon ended with \(code) instead of getting ready: \(complaint)" }
    }

    init(
        _ lab: Lab,
        _ name: String,
        folder: String? = nil,
        port: UInt16,
        runner: [String] = [],
        arguments: [String],
        socket: String? = nil,
        isNamed: Bool = true,
        logLevel: String? = "warning"
    ) {
        self.isNamed = isNamed
        self.logLevel = logLevel
        self.lab = lab
        self.name = name
        self.port = port
        self.folder = lab.folder.appendingPathComponent(folder ?? name.lowercased(), isDirectory: true)
        socketPath = socket ?? self.folder.appendingPathComponent("control.sock").path
        self.runner = runner
        self.arguments = arguments
    }

    /// A node on loopback without mDNS (`Programs.environment`) that dials the given ports.
    static func onLoopback(
        _ lab: Lab,
        _ name: String,
        folder: String? = nil,
        port: UInt16,
        dials: [UInt16] = [],
        runner: [String] = [],
        arguments: [String] = [],
        socket: String? = nil
    ) -> LabNode {
        let peers = dials.flatMap { ["--peer", "127.0.0.1:\($0)"] }
        return LabNode(
            lab,
            name,
            folder: folder,
            port: port,
            runner: runner,
            arguments: peers + arguments,
            socket: socket
        )
    }

    var child: Child? { state.withLock { $0.child } }

    /// A runner that leaves the terminal of whoever runs the tests (TIOCNOTTY), where SIGHUP would end the daemon.
    static let withoutTerminal = [
        "perl", "-e", "open(T, '+<', '/dev/tty') and ioctl(T, 0x5422, 0); exec @ARGV",
    ]

    /// Starts the daemon without waiting for it.
    @discardableResult
    func spawn() throws -> Child {
        let own =
            ["--data-dir", folder.path, "--port", "\(port)"] + (isNamed ? ["--name", name] : [])
            + (logLevel.map { ["--log-level", $0] } ?? []) + arguments
        let daemon = try Programs.own("parlanced")
        let child = try lab.start(runner, daemon, own, name: folder.lastPathComponent)
        state.withLock { $0 = State(child: child) }
        return child
    }

    /// Waits until the started daemon prints that it is ready.
    ///
    /// A port that was free when the test chose it may have been taken since; then the daemon uses another one, and
    /// nobody would find it.
    func ready(onAnyPort: Bool = false) async throws {
        guard let child else { throw NotReady(name: name, code: -1, complaint: "it was not started") }
        try await eventually("\(name)'s daemon is ready", within: .seconds(20)) {
            if let code = child.exitCode { throw NotReady(name: name, code: code, complaint: child.complained) }
            return child.printed.contains("ready: ")
        }
        guard onAnyPort || child.printed.contains(", port \(port), ") else {
            throw NotReady(name: name, code: -1, complaint: "port \(port) was taken: \(child.printed)")
        }
    }

    func start() async throws {
        try spawn()
        try await ready()
    }

    /// Kills the daemon, as a crash would.
    func kill() async throws {
        try await end(SIGKILL)
    }

    /// Ends the daemon by a signal and returns its exit code.
    @discardableResult
    func end(_ signal: Int32) async throws -> Int32 {
        let (child, client) = state.withLock { state in
            defer { state = State() }
            return (state.child, state.client)
        }
        guard let child else { return 0 }
        child.signal(signal)
        let code = try await child.ended()
        lab.reaper.ended(child)
        await client?.close()
        return code
    }

    /// A connection to the running daemon; one for each run of the daemon.
    func client() async throws -> ControlClient {
        if let client = state.withLock({ $0.client }) { return client }
        let client = try await ControlClient.connect(to: socketPath)
        state.withLock { $0.client = client }
        return client
    }

    /// Runs `parlance` against this daemon.
    func parlance(_ arguments: String..., input: [UInt8]? = nil) async throws -> Lab.Outcome {
        try await parlance(arguments, input: input)
    }

    func parlance(_ arguments: [String], input: [UInt8]? = nil) async throws -> Lab.Outcome {
        // The option comes directly after the words of the subcommand, because everything after WHO may be text.
        let words =
            ["outbox", "group", "workspace", "passphrase", "config", "conversation"].contains(arguments.first) ? 2 : 1
        let own = ["--data-dir", folder.path]
        var outcome = try await lab.parlance(arguments.prefix(words) + own + arguments.dropFirst(words), input: input)
        // The option is of the lab, and stands in each command that the answer names (`CommandOptions`).
        let option = "parlance --data-dir \(folder.path) "
        outcome.output = outcome.output.replacingOccurrences(of: option, with: "parlance ")
        outcome.errors = outcome.errors.replacingOccurrences(of: option, with: "parlance ")
        return outcome
    }
}
