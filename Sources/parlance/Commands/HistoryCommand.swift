import ArgumentParser
import ParlanceControl

/// `parlance history WHO`
struct HistoryCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Read a conversation, newest message last.",
        discussion: """
            If there is more, the first line says how to see what is older. 'parlance read WHO' marks it as read. \
            With --ids each message shows its ID, by which other commands name it. In a group, messages of people you \
            have blocked are folded away; --blocked shows them.

            Examples: parlance history Bob --limit 20
                      parlance history Crew --ids
            """
    )

    @Argument(help: "A name, an alias, a group's title, or an ID.")
    var who: String

    @Flag(help: "Show the ID of each message (its first 12 characters, which are enough).")
    var ids = false

    @Flag(help: "Show messages of people you have blocked.")
    var blocked = false

    @Option(
        help: ArgumentHelp(
            "Only messages before this one: its ID, or the first 4 or more characters of it, as --ids shows them.",
            valueName: "id"
        )
    )
    var before: String?

    @Option(help: "How many messages at most, 1 to \(HistoryOperation.maximumLimit).")
    var limit = HistoryOperation.defaultLimit

    @OptionGroup var options: Options

    func validate() throws {
        guard (1...HistoryOperation.maximumLimit).contains(limit) else {
            throw ValidationError("--limit must be 1 to \(HistoryOperation.maximumLimit).")
        }
    }

    func run(_ session: Session) async throws {
        let operation = HistoryOperation(who: who, before: before, limit: limit)
        try await session.show(operation) { page in
            return HistoryText(
                page: page,
                who: who,
                withIDs: ids,
                withBlocked: blocked,
                clock: session.clock,
                style: session.style,
                width: session.terminal.width
            ).lines
        }
    }
}
