import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// `parlance accept [WHO]`
struct AcceptCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Accept somebody who asks to talk, or list who asks.",
        discussion: """
            Without WHO it lists the requests, as 'parlance requests' does. Accepting a blocked person ends the block.

            Example: parlance accept Bob
            """
    )

    @Argument(help: "A name, an alias or a peer ID.", completion: Completions.person)
    var who: String?

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        guard let who else { return try await RequestsCommand.list(session) }
        try await session.show(AcceptOperation(who: who)) { peer in
            var lines = [VisibleText.line(say("\(peer.shownName) is accepted. Their messages reach you."))]
            if let warning = peer.warning {
                lines.append(
                    session.style(
                        .warning,
                        VisibleText.line(say("Warning: \(warning). Tell them apart: parlance alias"))
                    )
                )
            }
            if peer.trust != .verified {
                lines.append(say("First contact is trust on first use. \(NameText.compareAdvice(who))"))
            }
            return lines
        }
    }
}
