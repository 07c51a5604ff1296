import ArgumentParser
import Foundation
import ParlanceControl
import ParlanceDaemon
import ParlanceProfile
import ParlanceTexts
import ParlanceWords
import SystemPackage

/// The part of `parlance backup` that knows the formats. People use that command; this one is hidden.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "The part of parlance backup that writes the file.",
        shouldDisplay: false
    )

    @Argument(transform: { UserPath(bytes: ArgumentText.bytes($0)) }) var file: UserPath

    @Flag var json = false

    @Flag var force = false

    @Flag var anyUser = false

    // The options of the daemon have other names, and would take theirs.
    @Flag(name: .customLong("encrypt")) var isEncrypted = false

    @Option(name: .customLong("secret-fd"), transform: InheritedDescriptor.parse) var passphraseFd: Int32?

    @OptionGroup var places: Places

    func run() async throws {
        // Programs read English.
        try await Language.$current.withValue(json ? .english : .current) { try await perform() }
    }

    private func perform() async throws {
        do throws(ControlFailure) {
            let maker = try BackupMaker(
                profile: places.profile,
                dataDirectory: places.dataDir,
                socket: places.socket,
                ofAnyUser: anyUser,
                environment: ProgramEnvironment.all
            )
            let source: PassphraseSource? =
                passphraseFd.map { .descriptor($0) } ?? (isEncrypted ? PassphraseSource.terminal : nil)
            let report = try await maker.run(to: file, isForced: force, passphrase: source, isQuiet: json)
            try CommandOutput.show(json ? [report.json] : report.lines, json: json)
        } catch { try CommandOutput.fail(error, json: json) }
    }
}

/// The part of `parlance restore` that knows the formats. People use that command; this one is hidden.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "The part of parlance restore that reads the file.",
        shouldDisplay: false
    )

    @Argument(transform: { UserPath(bytes: ArgumentText.bytes($0)) }) var file: UserPath

    @Flag var json = false

    @Option(name: .customLong("secret-fd"), transform: InheritedDescriptor.parse) var passphraseFd: Int32?

    @OptionGroup var places: Places

    func run() async throws {
        // Programs read English.
        try await Language.$current.withValue(json ? .english : .current) { try await perform() }
    }

    private func perform() async throws {
        do throws(ControlFailure) {
            let restorer = try BackupRestorer(
                configuration: places.config,
                profile: places.profile,
                dataDirectory: places.dataDir,
                environment: ProgramEnvironment.all
            )
            let source = passphraseFd.map { PassphraseSource.descriptor($0) } ?? .terminal
            let report = try restorer.run(from: file, passphrase: source, isQuiet: json)
            try CommandOutput.show(json ? [report.json] : report.lines, json: json)
        } catch { try CommandOutput.fail(error, json: json) }
    }
}

/// The output of the hidden commands, in the form of `parlance`.
enum CommandOutput {
    /// - Parameter onlyShows: whether the command changes nothing.
    static func show(_ lines: [String], json: Bool, onlyShows: Bool = false) throws(ControlFailure) {
        let reason = put(lines, to: STDOUT_FILENO, json: json)
        // A reader that has gone wanted no more.
        if let reason, reason != .brokenPipe { throw onlyShows ? .outputCut(reason) : .outputLost(reason) }
    }

    /// - Returns: why the lines were not written, or not all.
    private static func put(_ lines: [String], to descriptor: Int32, json: Bool) -> Errno? {
        let charset = json ? .utf8 : Charset.of(descriptor: descriptor)
        var bytes = charset.bytes(lines.map { $0 + "\n" }.joined())[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                return .current
            }
        }
        return nil
    }

    /// Shows why a command failed, and turns that into the exit code.
    static func fail(_ failure: ControlFailure, json: Bool, after head: String = "parlance: ") throws -> Never {
        let failure = failure.forPeople
        let lines = json ? [failure.json] : failure.lines(after: head)
        _ = put(lines, to: STDERR_FILENO, json: json)
        throw ExitCode(failure.exitCode)
    }
}
