import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// `parlance alias WHO NAME`
struct AliasCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "alias",
        abstract: "Give somebody a name of your choice.",
        discussion: """
            Only you see the alias. An empty one removes it.

            Example: parlance alias Bob "Bob (welding)"
            """
    )

    @Argument(help: "A name, an alias or a peer ID.", completion: Completions.person)
    var who: String

    @Argument(help: "The alias; \"\" removes it.")
    var name: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(AliasOperation(who: who, name: name)) { peer in
            let id = PeerIDText.short(peer.id)
            return [VisibleText.line(say("\(id) is now shown as \(peer.shownName)."))]
        }
    }
}
