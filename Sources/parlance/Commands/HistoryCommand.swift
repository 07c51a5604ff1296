import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance history WHO`
struct HistoryCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Read a conversation, newest message last.",
        discussion: """
            What is shown counts as read from then on, and its authors are told so; with --peek, --before, --around or --json, \
            and if not all unread messages fit, everything stays unread. If there is more, the first line says how to see what is older, \
            or the last line if unread messages are among it. \
            With --ids each message shows its ID, by which other commands name it. In a group, messages of people you \
            have blocked are folded away; --blocked shows them.

            Examples: parlance history Bob --limit 20
                      parlance history Crew --ids
            """
    )

    @Argument(help: "A name, an alias, a group's title, or an ID.", completion: Completions.conversation)
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
        ),
        completion: Completions.messageOfConversation
    )
    var before: String?

    @Option(
        help: ArgumentHelp(
            "The messages before and after this one: its ID, or the first 4 or more characters of it.",
            valueName: "id"
        ),
        completion: Completions.messageOfConversation
    )
    var around: String?

    @Option(help: "How many messages at most, 1 to \(HistoryOperation.maximumLimit).")
    var limit = HistoryOperation.defaultLimit

    @OptionGroup var options: Options

    func validate() throws {
        guard (1...HistoryOperation.maximumLimit).contains(limit) else {
            throw ValidationError(say("--limit must be 1 to \(HistoryOperation.maximumLimit)."))
        }
        guard before == nil || around == nil else {
            throw ValidationError(say("--before and --around cannot be given together."))
        }
    }

    func run(_ session: Session) async throws {
        let operation = HistoryOperation(who: who, before: before, around: around, limit: limit)
        let page = try await session.client.call(operation)
        let unseen = marksRead ? Self.unseen(in: page) : 0
        try session.write(page) { page in
            HistoryText(
                page: page,
                who: who,
                isBefore: before != nil,
                unseen: unseen,
                withIDs: ids,
                withBlocked: blocked,
                clock: session.clock,
                style: session.style,
                width: session.terminal.width
            ).lines
        }
        guard marksRead, !session.json, page.conversation.unread > 0, unseen == 0,
            let last = page.messages.last(where: { $0.waits != true })
        else { return }
        _ = try await session.client.call(
            ReadOperation(who: page.conversation.peer ?? page.conversation.id, through: last.id)
        )
    }

    /// Whether what is shown counts as read.
    private var marksRead: Bool { !peek && before == nil && around == nil }

    /// How many unread messages are older than those of the newest page. What waits for its place is not counted as
    /// unread, but is marked so.
    private static func unseen(in page: HistoryReply) -> Int {
        max(0, page.conversation.unread - page.messages.count { $0.unread == true && $0.waits != true })
    }
}
