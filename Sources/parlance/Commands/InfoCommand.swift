import ArgumentParser
import ParlanceControl

/// `parlance info ID`
struct InfoCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show all that is known of a message: who has it, who has read it, what it said before.",
        discussion: """
            Somebody counts as having it once their device has it on disk; who has not got it stands there with the \
            reason.

            Example: parlance info 3f9a11c2
            """
    )

    @Argument(help: "The message's ID, or its first 8 or more characters; 'parlance history --ids' shows it.")
    var id: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(InfoOperation(id: id)) { life in
            return LifeText(life: life, clock: session.clock, style: session.style).lines
        }
    }
}
