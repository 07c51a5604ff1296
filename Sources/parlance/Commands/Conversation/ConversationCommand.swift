import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// `parlance conversation ...`
struct ConversationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conversation",
        abstract: "Clear, delete, hide and show a conversation on this computer.",
        discussion: """
            All of it concerns this computer only: the others keep what they have, and nobody learns of it. 'parlance disk' \
            says how much each conversation takes.

            Examples: parlance conversation clear Bob
                      parlance conversation delete "Night watch" --yes
                      parlance conversation hide Bob
            """,
        subcommands: [
            ConversationClearCommand.self, ConversationDeleteCommand.self, ConversationHideCommand.self,
            ConversationShowCommand.self,
        ]
    )
}

/// `parlance conversation clear WHO`
struct ConversationClearCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Remove everything that is in a conversation now from this computer.",
        discussion: """
            Messages, read or not, go with their reactions and with the files that no other message names; files go within \
            an hour. The conversation stays, new messages come as ever, and what is gone does not come back from the others. \
            It stays in your backups and exports. What you wrote and somebody has not received yet stays until it is \
            delivered, and goes within an hour after that. Lines that say who is in a group stay.

            Example: parlance conversation clear Bob
            """
    )

    @Argument(help: "A name, an alias, a group's title, or an ID.", completion: Completions.conversation)
    var who: String

    @Flag(help: "Do not ask first.")
    var yes = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        let chosen = try await session.confirm(who, yes, deletes: false)
        try await session.show(ConversationClearOperation(who: chosen)) {
            [VisibleText.line(say(ClearText.done($0, deletes: false)))]
        }
    }
}

/// `parlance conversation delete WHO`
struct ConversationDeleteCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Remove a conversation from this computer, and from your list.",
        discussion: """
            What is in it goes as with 'parlance conversation clear'. A direct conversation comes back by itself when one of \
            you writes in it, with only what is new. A group of which you are a member comes back when you write in it, or \
            with 'parlance conversation show'; until then what others write there is removed as it comes. To leave the \
            group: parlance group leave.

            Example: parlance conversation delete "Night watch"
            """
    )

    @Argument(help: "A name, an alias, a group's title, or an ID.", completion: Completions.conversation)
    var who: String

    @Flag(help: "Do not ask first.")
    var yes = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        let chosen = try await session.confirm(who, yes, deletes: true)
        try await session.show(ConversationDeleteOperation(who: chosen)) {
            [VisibleText.line(say(ClearText.done($0, deletes: true)))]
        }
    }
}

/// `parlance conversation hide WHO`
struct ConversationHideCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "hide",
        abstract: "Leave a conversation out of the list until something new is written in it.",
        discussion: """
            Nothing is removed. 'parlance conversations --all' lists it, and 'parlance conversation show' ends it.

            Example: parlance conversation hide Bob
            """
    )

    @Argument(help: "A name, an alias, a group's title, or an ID.", completion: Completions.conversation)
    var who: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(ConversationHideOperation(who: who)) { [VisibleText.line(say(ClearText.hidden($0)))] }
    }
}

/// `parlance conversation show WHO`
struct ConversationShowCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "List a hidden or deleted conversation again.",
        discussion: """
            A group that was deleted comes back without what was written until now.

            Example: parlance conversation show Bob
            """
    )

    @Argument(help: "A name, an alias, a group's title, or an ID.", completion: Completions.conversation)
    var who: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(ConversationShowOperation(who: who)) { [VisibleText.line(say(ClearText.shown($0)))] }
    }
}

extension Session {
    /// Asks before a conversation is cleared or deleted, once it is known whom the user means.
    ///
    /// - Returns: which one to clear: the ID of the one that the user has seen, since a name may be another's by now.
    fileprivate func confirm(_ who: String, _ yes: Bool, deletes: Bool) async throws -> String {
        guard !yes else { return who }
        let found = try await client.call(HistoryOperation(who: who, limit: 1)).conversation
        let (id, verb) = (found.peer ?? found.id, deletes ? "delete" : "clear")
        let shown = String(id.prefix(PeerIDText.typedCharacters))
        let command = ShellWord.command("parlance conversation \(verb)", [shown], options: ["--yes"])
        try Confirmation.ask(ClearText.question(found, deletes: deletes), command: command)
        return id
    }
}
