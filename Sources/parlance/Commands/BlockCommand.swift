import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// `parlance block WHO`
struct BlockCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Block somebody: no links, requests or messages.",
        discussion: """
            'parlance unblock' ends the block. Your messages with them are kept; to remove them: parlance conversation delete.

            Example: parlance block Mallory
            """
    )

    @Argument(help: "A name, an alias or a peer ID.", completion: Completions.person)
    var who: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(BlockOperation(who: who)) { peer in
            return [VisibleText.line(say("\(peer.shownName) is blocked."))]
        }
    }
}
