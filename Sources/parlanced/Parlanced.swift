import ArgumentParser
import ParlanceControl
import ParlanceDaemon
import ParlanceNode
import ParlanceProfile
import ParlanceTexts
import ParlanceWords

#if canImport(Glibc)
@preconcurrency import Glibc
#else
import Darwin
#endif

/// The daemon: one node of Parlance, in the foreground.
@main
struct Parlanced: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parlanced",
        abstract: "Runs your Parlance node: finds peers on the network, and sends and keeps your messages.",
        discussion: """
            It stays in the foreground, logs to standard error, and stops cleanly on SIGTERM and SIGINT. Everything can \
            also be set in config.yaml (parlance config list), and by environment variables such as PARLANCE_NAME; a flag wins.
            SIGHUP lets it read the settings again. If it was started from a terminal, and not by nohup, SIGHUP stops it: the \
            terminal was closed.
              parlanced                      start with what is set, as yourself
              parlanced --peer ship.lan      also dial an address that mDNS does not reach
              parlanced --init --passphrase  make your identity under a passphrase, before the first start
            Where the identity is under a passphrase, it is taken from --passphrase-fd, else from the systemd credential \
            parlance-passphrase, else asked for on the terminal.
            Then talk to it with the command parlance.

            Exit codes: 0 stopped when asked; 1 could not start, or failed; 64 wrong usage.
            """,
        version: Daemon.version,
        subcommands: [ConfigCommand.self, BackupCommand.self, RestoreCommand.self]
    )

    /// The words for people are in their language; the journal is in English.
    static func main() async {
        StandardStreams.fill()
        ProcessMemory.hide()
        let language = JournalStream.isStandardError ? .english : Language { getenv($0).map { String(cString: $0) } }
        await Language.$current.withValue(language) { await perform() }
    }

    private static func perform() async {
        do {
            let words = ProgramArguments.words
            var command = try parseAsRoot(ProgramArguments.withPlainValues(in: words) { _ in true })
            do throws(ControlFailure) { try ArgumentText.check(command, of: words) } catch {
                let program = command is Parlanced ? "parlanced: " : "parlance: "
                try CommandOutput.fail(error, json: words.contains("--json"), after: program)
            }
            guard var command = command as? any AsyncParsableCommand else { return try command.run() }
            // The commands in texts of the page, the desktop and the log name this daemon. Readers of the socket say their own.
            try await CommandOptions.$current.withValue(CommandOptions.given(in: words)) { try await command.run() }
        } catch {
            // Whoever throws an exit code has said why.
            guard !(error is ExitCode), exitCode(for: error) == .validationFailure else { exit(withError: error) }
            let failure = UsageText.failure(message(for: error), usage: ["parlanced", "--help"].joined(separator: " "))
            fputs(failure.lines(after: "parlanced: ").map { $0 + "\n" }.joined(), stderr)
            exit(withError: ExitCode.validationFailure)
        }
    }

    @OptionGroup var flags: Flags

    func run() async throws {
        setvbuf(stdout, nil, _IOLBF, 0)
        do {
            let daemon = try flags.daemon()
            if flags.makesIdentity { return print(try daemon.makeIdentity(underPassphrase: flags.isProtected)) }
            try await daemon.run { print($0) }
        } catch let error as DaemonError {
            fputs(error.lines, stderr)
            throw ExitCode(error.exitCode)
        }
    }
}
