import ArgumentParser
import ParlanceControl

/// `parlance history WHO`
struct HistoryCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Read a conversation, newest message last.",
        discussion: """
            If there is more, the first line says how to see what is older. 'parlance read WHO' marks it as read.

            Example: parlance history Bob --limit 20
            """
    )

    @Argument(help: "A name, an alias or a peer ID.")
    var who: String

    @Option(help: ArgumentHelp("Only messages before this one.", valueName: "id"))
    var before: String?

    @Option(help: "How many messages at most, 1 to \(HistoryRequest.maximumLimit).")
    var limit = HistoryRequest.defaultLimit

    @OptionGroup var options: Options

    func validate() throws {
        guard (1...HistoryRequest.maximumLimit).contains(limit) else {
            throw ValidationError("--limit must be 1 to \(HistoryRequest.maximumLimit).")
        }
    }

    func run(_ session: Session) async throws {
        let request = HistoryRequest(who: who, before: before, limit: limit)
        try await session.show(.history(request)) { reply in
            guard case .history(let page) = reply else { return nil }
            return HistoryText(page: page, who: who, clock: session.clock, style: session.style).lines
        }
    }
}
