import ArgumentParser
import ParlanceControl

/// `parlance accept [WHO]`
struct AcceptCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Accept somebody who asks to talk, or list who asks.",
        discussion: """
            Without WHO it lists who asks. Accepting somebody who is blocked ends the block.

            Example: parlance accept Bob
            """
    )

    @Argument(help: "A name, an alias or a peer ID.")
    var who: String?

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        guard let who else { return try await list(session) }
        try await session.show(.accept(WhoRequest(who: who))) { reply in
            guard case .peer(let peer) = reply else { return nil }
            return [VisibleText.line("\(peer.displayName) is accepted: what they write reaches you.")]
        }
    }

    private func list(_ session: Session) async throws {
        guard case .conversations(let reply) = try await session.client.call(.conversations) else {
            throw ControlFailure.badReply("it answers something else")
        }
        let requests = reply.conversations.filter { $0.contact == .requested }
        if session.json {
            let found = ControlReply.conversations(ConversationsReply(conversations: requests))
            return session.terminal.write([JSONWriter.text(try found.json())])
        }
        guard !requests.isEmpty else { return session.terminal.write(["Nobody asks to talk."]) }
        var table = TextTable(["NAME", "ID", "SINCE", "WRITES"])
        for request in requests {
            table.add([
                TextTable.Cell(request.title, .name),
                TextTable.Cell(PeerIDText.short(request.peer ?? "")),
                TextTable.Cell(request.lastActivity.map(session.clock.short) ?? ""),
                TextTable.Cell(request.preview ?? ""),
            ])
        }
        session.terminal.write(session.lines(table) + ["", "Say yes with: parlance accept NAME (or ID)"])
    }
}
