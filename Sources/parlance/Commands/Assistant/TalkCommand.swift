import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance talk`
struct TalkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "talk",
        abstract: "Show what you have asked the assistant, and what it answered.",
        discussion: """
            Questions about one conversation are kept apart from those about all. What rests on a message goes with it.

            Examples: parlance talk
                      parlance talk Crew
            """,
        subcommands: [TalkListCommand.self, TalkClearCommand.self],
        defaultSubcommand: TalkListCommand.self
    )
}

/// `parlance talk list`
struct TalkListCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the questions about a conversation, or those about all of them.",
        discussion: "Example: parlance talk list Crew"
    )

    @Argument(
        help: ArgumentHelp("A person or a group; without it, the questions about all conversations.", valueName: "who"),
        completion: Completions.conversation
    )
    var who: String?

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(TalkOperation(who: who)) { reply in
            SourceText(clock: session.clock, style: session.style).talk(reply)
        }
    }
}

/// `parlance talk clear`
struct TalkClearCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Forget what you have asked the assistant, and what it answered.",
        discussion: """
            Messages stay. Without WHO, the questions about all conversations are forgotten; with --all, every question.

            Example: parlance talk clear Crew
            """
    )

    @Argument(help: ArgumentHelp("A person or a group.", valueName: "who"), completion: Completions.conversation)
    var who: String?

    @Flag(help: "Every question, whatever it was about.")
    var all = false

    @OptionGroup var options: Options

    func validate() throws {
        guard who == nil || !all else { throw ValidationError(say("Name a person or a group, or use --all.")) }
    }

    func run(_ session: Session) async throws {
        try await session.show(TalkClearOperation(who: who, all: all ? true : nil)) { reply in
            [reply.turns == 1 ? say("1 question was forgotten.") : say("\(reply.turns) questions were forgotten.")]
        }
    }
}
