import Foundation
import ParlanceWaiting
import Synchronization
import Testing

/// A folder and the processes of one test; everything is removed when the test ends.
final class Lab: Sendable {
    let folder: URL
    let reaper: Reaper
    private let count = Mutex(0)

    private init() throws {
        // Short, because the path of a socket may have at most 107 bytes.
        folder = URL(fileURLWithPath: "/tmp/plab-\(UInt32.random(in: .min ... .max))", isDirectory: true)
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        reaper = try Reaper(folder: folder)
    }

    /// Runs a test in a lab. If it exceeds the limit, its processes are killed, which ends the test.
    ///
    /// A failure shows the last lines of the daemons' logs.
    static func run(limit: Duration = .seconds(60), _ body: @escaping @Sendable (Lab) async throws -> Void) async throws
    {
        let lab = try Lab()
        let limit = patience(limit)
        let result: Result<Void, any Error> = await withTaskGroup(of: Result<Void, any Error>?.self) { group in
            group.addTask {
                do {
                    return .success(try await body(lab))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                do { try await Task.sleep(for: limit) } catch { return nil }
                lab.reaper.killAll()
                return .failure(TimedOut(what: "the test ended", limit: limit))
            }
            for await case let result? in group {
                group.cancelAll()
                return result
            }
            return .failure(CancellationError())
        }
        if case .failure = result { lab.showLogs() }
        for report in lab.reports() { Issue.record("\(report)") }
        try await lab.reaper.finish()
        try result.get()
    }

    private func showLogs() {
        for (name, text) in errors().suffix(8) where !text.isEmpty {
            print("--- \(name)")
            let lines = text.split(separator: "\n")
            let crash = lines.firstIndex { $0.contains("Program crashed") }
            for line in crash.map({ lines[$0...].prefix(80) }) ?? lines.suffix(12) { print("    \(line)") }
        }
    }

    /// The standard error of the programs, by the names of their files.
    private func errors() -> [(name: String, text: String)] {
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "err" }.sorted { $0.path < $1.path }.map {
            ($0.lastPathComponent, String(decoding: (try? Data(contentsOf: $0)) ?? Data(), as: UTF8.self))
        }
    }

    /// The sanitizer reports of the programs.
    private func reports() -> [String] {
        errors().compactMap { name, text in Programs.report(in: text).map { "\(name): \($0)" } }
    }

    /// A name for the files of one more process.
    func nextBase(_ name: String) -> URL {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return folder.appendingPathComponent("\(name)-\(number)")
    }

    /// Starts a program of ours or of the system, and tells the reaper.
    func start(_ program: URL, _ arguments: [String], name: String, input: URL? = nil) throws -> Child {
        let child = try Child(
            program,
            arguments,
            environment: Programs.environment(home: folder.path),
            base: nextBase(name),
            input: input
        )
        reaper.add(child)
        return child
    }

    /// Starts a program through others that replace themselves by it, such as `ip netns exec NAME`.
    func start(_ runner: [String], _ program: URL, _ arguments: [String], name: String) throws -> Child {
        guard let first = runner.first else { return try start(program, arguments, name: name) }
        return try start(try Programs.system(first), runner.dropFirst() + [program.path] + arguments, name: name)
    }

    /// The result of a program.
    struct Outcome: Sendable {
        var code: Int32
        var output: String
        var errors: String
    }

    /// Runs a program to its end.
    func run(_ program: URL, _ arguments: [String], input: [UInt8]? = nil) async throws -> Outcome {
        var file: URL?
        if let input {
            let base = nextBase("input")
            try Data(input).write(to: base)
            file = base
        }
        let child = try start(program, arguments, name: program.lastPathComponent, input: file)
        let code = try await child.ended(within: .seconds(20))
        reaper.ended(child)
        return Outcome(code: code, output: child.printed, errors: child.complained)
    }

    /// Runs `parlance` to its end.
    func parlance(_ arguments: [String], input: [UInt8]? = nil) async throws -> Outcome {
        try await run(try Programs.own("parlance"), arguments, input: input)
    }

    /// Runs `parlance` as somebody whom the permissions of files hold back, as they do not root.
    func parlanceWithoutRights(_ arguments: [String]) async throws -> Outcome {
        guard getuid() == 0 else { return try await parlance(arguments) }
        let program = try Programs.own("parlance").path
        return try await run(try Programs.system("setpriv"), Self.withoutRights + [program] + arguments)
    }

    /// The options of setpriv(1) for that.
    static let withoutRights = [
        "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search",
    ]

    /// Runs `parlanced` to its end, for starts that are refused.
    func parlanced(_ arguments: [String]) async throws -> Outcome {
        try await run(try Programs.own("parlanced"), arguments)
    }

    /// A TCP port of loopback that was free a moment ago. If it is taken since, `LabNode.ready` says so.
    static func freePort() throws -> UInt16 {
        let socket = try RawSocket.tcp()
        return try socket.bindToFreePort()
    }
}
