import ArgumentParser
import ParlanceControl

/// `parlance info ID`
struct InfoCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show who has received and read a message, and its earlier texts.",
        discussion: """
            A recipient has received it when it is on their disk. For the others, the reason is shown.

            Examples: parlance info 3f9a11c2
                      parlance info last:Bob
            """
    )

    @Argument(
        help: "The message's ID, its first 8 or more characters ('parlance history --ids' shows it), or last.",
        completion: Completions.message
    )
    var id: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(InfoOperation(id: id)) { life in
            return LifeText(life: life, clock: session.clock, style: session.style, width: session.terminal.width)
                .lines
        }
    }
}
