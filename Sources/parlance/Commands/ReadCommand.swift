import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance read WHO`
struct ReadCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Mark a conversation as read.",
        discussion: """
            The others see that you have read it.

            Example: parlance read Bob
            """
    )

    @Argument(help: "A name, an alias, a group's title, or an ID.", completion: Completions.conversation)
    var who: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(ReadOperation(who: who)) { reply in
            switch reply.marked {
            case 0: return [say("Nothing was unread.")]
            case 1: return [say("1 message marked as read.")]
            default: return [say("\(reply.marked) messages marked as read.")]
            }
        }
    }
}
