import ArgumentParser
import ParlanceControl
import ParlanceWords

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The command `parlance`: controls the user's daemon.
@main
struct ParlanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parlance",
        abstract: "Chat with people on the same network, without a server.",
        discussion: """
            parlance talks to your own daemon, parlanced, which must be running. Alone it shows how things are, and what \
            to do next.

            WHO is a whole name (upper and lower case are the same), an alias, or the first 8 or more characters of a peer ID. For a conversation it may also be a \
            group's title or the beginning of its ID. ID is a message's ID, or its first 8 or more characters: see \
            'parlance history WHO --ids'. ID may also be last, or last:WHO for one conversation: for reply and react the \
            newest message of somebody else, for edit, delete, info and outbox your own. The answer shows which one it was.

            Every command takes --json and then prints JSON, one value per line; errors are JSON too, on standard error. \
            Options may come before or after the name of the command; a -- ends them.

            Exit codes: 0 done; 1 failed; 2 no daemon answers, or a terminal is needed; 64 wrong usage; 65 refused \
            because of the input (nobody has that name, an ambiguous name, a blocked person, an empty text, no \
            permission...); 74 done, but the output could not be written (1 if a command only shows something); 77 the system denies access to a file. Errors go to \
            standard error.

            Environment: PARLANCE_SOCKET (the daemon's socket), NO_COLOR (no colours).
            """,
        version: ParlanceVersion.text,
        subcommands: [OverviewCommand.self],
        groupedSubcommands: [
            CommandGroup(
                name: "Talking",
                subcommands: [
                    ChatCommand.self, OpenCommand.self, SendCommand.self, ReplyCommand.self, HistoryCommand.self,
                    SearchCommand.self, ReadCommand.self, EditCommand.self, DeleteCommand.self, ReactCommand.self,
                    InfoCommand.self, OutboxCommand.self, TypingCommand.self, WatchCommand.self,
                ]
            ),
            CommandGroup(
                name: "People",
                subcommands: [
                    PeersCommand.self, SeenCommand.self, RequestsCommand.self, AcceptCommand.self, DeclineCommand.self,
                    VerifyCommand.self, AliasCommand.self, BlockCommand.self, UnblockCommand.self, ForgetCommand.self,
                    AllowCommand.self, CourierCommand.self,
                ]
            ),
            CommandGroup(
                name: "Conversations",
                subcommands: [
                    ConversationsCommand.self, GroupCommand.self, PinCommand.self, UnpinCommand.self, MuteCommand.self,
                    UnmuteCommand.self, RetainCommand.self, DisappearCommand.self, ConversationCommand.self,
                    ExportCommand.self,
                ]
            ),
            CommandGroup(name: "Files", subcommands: [FetchCommand.self, FilesCommand.self, CarryCommand.self]),
            CommandGroup(
                name: "Assistant",
                subcommands: [
                    AssistantCommand.self, AskCommand.self, TalkCommand.self, SummaryCommand.self, ActionsCommand.self,
                    DeadlinesCommand.self, DecisionsCommand.self, PriorityCommand.self,
                ]
            ),
            CommandGroup(name: "Workspace", subcommands: [WorkspaceCommand.self, VerifyLogCommand.self]),
            CommandGroup(
                name: "You",
                subcommands: [
                    NameCommand.self, PictureCommand.self, PresenceCommand.self, IDCommand.self, PassphraseCommand.self,
                ]
            ),
            CommandGroup(
                name: "Node",
                subcommands: [
                    StatusCommand.self, DoctorCommand.self, ConfigCommand.self, ServiceCommand.self, StatsCommand.self,
                    DiskCommand.self, BackupCommand.self, RestoreCommand.self, WaitCommand.self,
                ]
            ),
        ]
    )

    static func main() async {
        StandardStreams.fill()
        // `Terminal` notices a closed pipe when it writes, so ignore the signal.
        signal(SIGPIPE, SIG_IGN)
        let environment = Terminal.environment
        await Language.$current.withValue(Language { environment[$0] }) {
            let words = CommandWords(ProgramArguments.words)
            await CommandOptions.$current.withValue(words.given) { await perform(words) }
        }
    }

    private static func perform(_ words: CommandWords) async {
        if let failure = words.helpFailure ?? words.optionFailure {
            ErrorOutput.show(failure, json: words.wantsJSON)
            exit(withError: ExitCode.validationFailure)
        }
        do {
            var command = try await asyncParseAsRoot(words.ordered)
            try await ErrorOutput.reporting(json: words.wantsJSON) {
                try ArgumentText.check(command, of: words.ordered)
            }
            guard var command = command as? any AsyncParsableCommand else { return try command.run() }
            try await command.run()
        } catch {
            let text = message(for: error)
            if exitCode(for: error) == .success {
                // Help, for which somebody has asked.
                Terminal.endWithOutput()
                if !text.isEmpty {
                    let isScript = words.ordered.contains { $0.hasPrefix("--generate-completion-script") }
                    let whole = fullMessage(for: error)
                    Terminal.standardOutput.write([isScript ? CompletionScript.mended(whole) : whole])
                }
                do { try Terminal.checkOutput() } catch { exit(withError: error) }
                exit()
            }
            // A bare exit code says that the command has shown why.
            guard !(error is ExitCode), exitCode(for: error) == .validationFailure else { exit(withError: error) }
            ErrorOutput.show(words.failure(text), json: words.wantsJSON)
            exit(withError: ExitCode.validationFailure)
        }
    }
}
