import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// `parlance delete ID`
struct DeleteCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete one of your messages; admins can delete any message of their group.",
        discussion: """
            Every node drops the text. A line remains that says who deleted the message. People may have read it before.

            Examples: parlance delete 3f9a11c2
                      parlance delete last
            """
    )

    @Argument(
        help: "The message's ID, its first 8 or more characters ('parlance history --ids' shows it), or last.",
        completion: Completions.message
    )
    var id: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(DeleteOperation(id: id)) { message in
            return MessageSummary.meant(message.meant)
                + [say("Deleted here. The others delete it as soon as they hear of it.")]
        }
    }
}
