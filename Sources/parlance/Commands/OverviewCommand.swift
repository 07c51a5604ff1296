import ArgumentParser
import ParlanceControl

/// `parlance` alone
struct OverviewCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "overview",
        abstract: "Show at a glance how things are, and what to do next (parlance alone).",
        discussion: "Example: parlance",
        shouldDisplay: false
    )

    @OptionGroup var options: Options

    var onlyShows: Bool { true }

    func run(_ session: Session) async throws {
        try await NamePrompt.askIfNameless(session)
        let conversations =
            session.json
            ? []
            : try await session.client.call(ConversationsOperation()).conversations
                .filter { $0.hidden != true }
        try await session.show(StatusOperation()) { status in
            OverviewText(status: status, conversations: conversations, clock: session.clock, style: session.style).lines
        }
    }
}
