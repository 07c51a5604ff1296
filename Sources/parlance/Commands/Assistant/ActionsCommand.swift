import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance actions`
struct ActionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "actions",
        abstract: "Show what people have to do, as found in messages.",
        discussion: """
            Open ones come first, then by their deadlines; those that are done come last.

            Example: parlance actions Crew
            """,
        subcommands: [ActionsListCommand.self, ActionDoneCommand.self, ActionsExportCommand.self],
        defaultSubcommand: ActionsListCommand.self
    )
}

/// `parlance actions list`
struct ActionsListCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the actions of a conversation, or of all.",
        discussion: "Example: parlance actions list Crew"
    )

    @Argument(
        help: ArgumentHelp("A person or a group; without it, all conversations.", valueName: "who"),
        completion: Completions.conversation
    )
    var who: String?

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(ActionsOperation(who: who)) { reply in
            ActionText(clock: session.clock, style: session.style).lines(reply.actions, reply.model)
                + AssistantText.progress(reply.reading)
        }
    }
}

/// `parlance actions export`
struct ActionsExportCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write actions for a calendar or a spreadsheet.",
        discussion: """
            Without --csv it is a calendar with tasks (iCalendar, VTODO). With it, the columns are id, task, assignee, deadline, \
            priority, done, conversation, sender, time and text.

            Examples: parlance actions export > actions.ics
                      parlance actions export Crew --csv > actions.csv
            """
    )

    @Argument(
        help: ArgumentHelp("A person or a group; without it, all conversations.", valueName: "who"),
        completion: Completions.conversation
    )
    var who: String?

    @Flag(help: "A table with a line for each action.")
    var csv = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(ActionsOperation(who: who)) { reply in
            let lines =
                csv
                ? ActionExport.table(reply.actions) : ActionExport.calendar(reply.actions, now: session.clock.now)
            // Both formats end their lines so.
            return lines.map { $0 + "\r" }
        }
    }
}

/// `parlance actions done ID`
struct ActionDoneCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "done",
        abstract: "Note that something is done.",
        discussion: """
            Only you see it. To take it back: --undo

            Example: parlance actions done k3v7q2xa/1
            """
    )

    @Argument(help: "The ID of an action, from parlance actions.", completion: Completions.action)
    var id: String

    @Flag(help: "Note that it is not done after all.")
    var undo = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(ActionDoneOperation(id: id, done: undo ? false : nil)) { action in
            ActionText(clock: session.clock, style: session.style).lines([action], nil)
        }
    }
}

/// `parlance deadlines`
struct DeadlinesCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "deadlines",
        abstract: "Show what is to be done by when.",
        discussion: "Example: parlance deadlines Crew"
    )

    @Argument(
        help: ArgumentHelp("A person or a group; without it, all conversations.", valueName: "who"),
        completion: Completions.conversation
    )
    var who: String?

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(ActionsOperation(who: who, due: true)) { reply in
            let lines =
                reply.actions.isEmpty
                ? [say("Nothing that is to be done has a deadline.")]
                : ActionText(clock: session.clock, style: session.style).lines(reply.actions, reply.model)
            return lines + AssistantText.progress(reply.reading)
        }
    }
}

/// `parlance decisions`
struct DecisionsCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "decisions",
        abstract: "Show what was decided, as messages say.",
        discussion: """
            The newest come first.

            Example: parlance decisions Crew
            """
    )

    @Argument(
        help: ArgumentHelp("A person or a group; without it, all conversations.", valueName: "who"),
        completion: Completions.conversation
    )
    var who: String?

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(DecisionsOperation(who: who)) { reply in
            SourceText(clock: session.clock, style: session.style).decisions(reply.decisions, reply.model)
                + AssistantText.progress(reply.reading)
        }
    }
}

/// `parlance priority`
struct PriorityCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "priority",
        abstract: "Show what is unread, the most urgent first.",
        discussion: """
            A message is urgent if it says so (urgent, at once), asks you a question by name, or gives you something to do by \
            the next day. It is low if it says that there is no hurry and, in a group, if it has three words at most. Messages \
            of low priority are only counted, unless you say --all; --json has all.

            Examples: parlance priority
                      parlance priority --all
            """
    )

    @Flag(help: "Show messages of low priority, too.")
    var all = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(PriorityOperation()) { reply in
            SourceText(clock: session.clock, style: session.style).priorities(reply, withLow: all)
        }
    }
}
