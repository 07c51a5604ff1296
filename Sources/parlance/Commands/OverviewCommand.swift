import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance` alone
struct OverviewCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "overview",
        abstract: "Show at a glance how things are, and what to do next (parlance alone).",
        discussion: "Example: parlance",
        shouldDisplay: false
    )

    @OptionGroup var options: Options

    func run() async throws {
        try await ErrorOutput.reporting(json: options.json) {
            let session: Session
            do {
                session = try await Session.open(options)
            } catch var failure as ControlFailure where failure.code == "noDaemon" {
                failure.advice = Phrase(
                    "\(failure.advice). To start it now and at each login: parlance service install"
                )
                throw failure
            }
            try await run(session)
            await session.close()
        }
    }

    func run(_ session: Session) async throws {
        let unread = session.json ? [] : try await session.client.call(ConversationsOperation()).conversations
        try await session.show(StatusOperation()) { status in
            OverviewText(status: status, conversations: unread, clock: session.clock, style: session.style).lines
        }
    }
}
