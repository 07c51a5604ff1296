import ArgumentParser
import ParlanceControl

/// `parlance history WHO`
struct HistoryCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Read a conversation, newest message last.",
        discussion: """
            Showing the newest messages marks the conversation as read, as 'parlance read WHO' does; with --peek, \
            --before or --json it stays as it is. If there is more, the first line says how to see what is older. \
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

    @Flag(help: "Leave unread what is unread.")
    var peek = false

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
        let page = try await session.show(operation) { page in
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
        guard !peek, !session.json, before == nil, page.conversation.unread > 0 else { return }
        _ = try await session.client.call(ReadOperation(who: page.conversation.peer ?? page.conversation.id))
    }
}
