import ArgumentParser
import Foundation
import ParlanceControl
import ParlanceDaemon
import ParlanceWords

/// The part of `parlance backup` that knows the formats. People use that command; this one is hidden.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "The part of parlance backup that writes the file.",
        shouldDisplay: false
    )

    @Argument var file: String

    @Flag var json = false

    @Flag var force = false

    @Flag var anyUser = false

    // The options of the daemon have other names, and would take theirs.
    @Flag(name: .customLong("encrypt")) var isEncrypted = false

    @Option(name: .customLong("secret-fd")) var passphraseFd: Int32?

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
                environment: ProcessInfo.processInfo.environment
            )
            let source: PassphraseSource? =
                passphraseFd.map { .descriptor($0) } ?? (isEncrypted ? PassphraseSource.terminal : nil)
            let report = try await maker.run(to: file, isForced: force, passphrase: source, isQuiet: json)
            CommandOutput.show(json ? [report.json] : report.lines)
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

    @Argument var file: String

    @Flag var json = false

    @Option(name: .customLong("secret-fd")) var passphraseFd: Int32?

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
                environment: ProcessInfo.processInfo.environment
            )
            let source = passphraseFd.map { PassphraseSource.descriptor($0) } ?? .terminal
            let report = try restorer.run(from: file, passphrase: source, isQuiet: json)
            CommandOutput.show(json ? [report.json] : report.lines)
        } catch { try CommandOutput.fail(error, json: json) }
    }
}

/// The output of the hidden commands, in the form of `parlance`.
enum CommandOutput {
    static func show(_ lines: [String]) {
        for line in lines { print(line) }
    }

    /// Shows why a command failed, and turns that into the exit code.
    static func fail(_ failure: ControlFailure, json: Bool) throws -> Never {
        let failure = failure.forPeople
        let lines = json ? [failure.json] : failure.lines(after: "parlance: ")
        FileHandle.standardError.write(Data(lines.map { $0 + "\n" }.joined().utf8))
        throw ExitCode(failure.exitCode)
    }
}
