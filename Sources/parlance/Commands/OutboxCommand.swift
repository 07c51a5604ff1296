import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// `parlance outbox [retry|cancel ID]`
struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "Show what has not been delivered: for whom, since when and why.",
        discussion: """
            Examples: parlance outbox
                      parlance outbox retry 3f9a11c2
                      parlance outbox cancel 3f9a11c2
            """,
        subcommands: [OutboxListCommand.self, OutboxRetryCommand.self, OutboxCancelCommand.self],
        defaultSubcommand: OutboxListCommand.self
    )
}

/// `parlance outbox`
struct OutboxListCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show what has not been delivered (also without 'list')."
    )

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(OutboxOperation()) { outbox in
            guard !outbox.items.isEmpty else { return [say("Nothing waits.")] }
            var table = TextTable(["ID", "FOR", "SINCE", "STATUS", "NEXT TRY", "TEXT", "WHY"], wrapsLast: true)
            for item in outbox.items { table.add(row(item, session)) }
            let left = outbox.total - outbox.items.count
            let more = left == 1 ? say("and 1 more") : say("and \(left) more")
            let several = outbox.items.first { ($0.waitsFor ?? 1) > 2 }
            let each = several.map { [say("The reason for each person: parlance info \($0.id.prefix(12))")] } ?? []
            return session.lines(table) + (left > 0 ? [more] : []) + each
        }
    }

    private func row(_ item: OutboxItem, _ session: Session) -> [TextTable.Cell] {
        [
            TextTable.Cell(String(item.id.prefix(12)), .faint),
            TextTable.Cell(recipients(item), .name),
            TextTable.Cell(session.clock.short(item.since)),
            TextTable.Cell(say(item.status.words), item.status == .failed ? .bad : .warning),
            TextTable.Cell(item.nextTry.map(session.clock.relative) ?? ""),
            TextTable.Cell(say(item.preview), .faint),
            TextTable.Cell(say(item.why)),
        ]
    }

    private func recipients(_ item: OutboxItem) -> String {
        if item.final == true, let group = item.group { return NameText.plain(group) }
        let people = say(
            PeopleText.list(item.recipients.map { NameText.marked($0.displayName, $0.trust) }, count: item.waitsFor)
        )
        return item.group.map { "\(people) (\($0))" } ?? people
    }
}

/// `parlance outbox retry ID`
struct OutboxRetryCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Try a waiting or failed message again now.",
        discussion: "Example: parlance outbox retry 3f9a11c2"
    )

    @Argument(help: "The message's ID, its first 8 or more characters, or last.", completion: Completions.waiting)
    var id: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(OutboxRetryOperation(id: id)) { message in
            // Its status is that before the next answer, which may come at any moment.
            MessageSummary.meant(message.meant) + [say("Trying again now.")]
        }
    }
}

/// `parlance outbox cancel ID`
struct OutboxCancelCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Take a waiting message back, or remove one that has failed for good.",
        discussion: """
            Examples: parlance outbox cancel 3f9a11c2
                      parlance outbox cancel last
            """
    )

    @Argument(help: "The message's ID, its first 8 or more characters, or last.", completion: Completions.waiting)
    var id: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(OutboxCancelOperation(id: id)) { message in
            let outcome =
                switch message.status {
                case .failed: [say("Removed from your history and the outbox. Nobody else sees it.")]
                case .sent:
                    [
                        say("Cancelled. A courier has it already and may hand it over before it hears of this."),
                        say("The recipient could then read it until this node is connected again."),
                    ]
                default: [say("Cancelled. It will not be sent any more.")]
                }
            return MessageSummary.meant(message.meant) + outcome
        }
    }
}
