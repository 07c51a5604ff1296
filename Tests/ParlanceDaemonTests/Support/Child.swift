import Foundation
import ParlanceWaiting
import Synchronization

/// A running program. Its output goes to files, so that nothing is lost and no pipe fills up.
final class Child: Sendable {
    let processID: Int32
    let output: URL
    let errors: URL
    private let ending: Ending

    /// The exit code, set by the thread that waits for the process.
    private final class Ending: Sendable {
        let code = Mutex<Int32?>(nil)
    }

    /// - Parameters:
    ///   - base: its output goes to the files `base.out` and `base.err`.
    ///   - input: a file that it reads as standard input; empty input if `nil`.
    init(_ program: URL, _ arguments: [String], environment: [String: String], base: URL, input: URL? = nil) throws {
        output = base.appendingPathExtension("out")
        errors = base.appendingPathExtension("err")
        let process = Process()
        // What ignores a signal passes that on: a script that starts tests with "&" ignores SIGINT, and nohup SIGHUP.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["--default-signal=HUP,INT,QUIT,TERM", program.path] + arguments
        process.environment = environment
        let written = [try Self.write(to: output), try Self.write(to: errors)]
        let read = try input.map { try FileHandle(forReadingFrom: $0) }
        (process.standardOutput, process.standardError) = (written[0], written[1])
        process.standardInput = read ?? FileHandle.nullDevice
        let ending = Ending()
        process.terminationHandler = { process in
            let status = process.terminationStatus
            ending.code.withLock { $0 = process.terminationReason == .exit ? status : 128 + status }
        }
        // The process is kept, and its files with it. Foundation fails where more than 1,300 are open.
        defer { for file in written + [read].compactMap({ $0 }) { try? file.close() } }
        try process.run()
        processID = process.processIdentifier
        self.ending = ending
    }

    private static func write(to file: URL) throws -> FileHandle {
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        return try FileHandle(forWritingTo: file)
    }

    /// The exit code as a shell reports it: 128 plus the signal's number after a signal. `nil` while it runs.
    var exitCode: Int32? { ending.code.withLock { $0 } }

    func signal(_ number: Int32) {
        if exitCode == nil { kill(processID, number) }
    }

    @discardableResult
    func ended(within limit: Duration = .seconds(10)) async throws -> Int32 {
        try await soon("process \(processID) ends", within: limit) { exitCode }
    }

    var printed: String { Self.text(of: output) }
    var complained: String { Self.text(of: errors) }

    private static func text(of file: URL) -> String {
        String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
    }
}
