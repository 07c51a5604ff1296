import ArgumentParser
import ParlanceControl

/// `parlance delete ID`
struct DeleteCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete one of your messages; an admin can delete those of others in the group.",
        discussion: """
            Everybody's device drops the text; that there was a message, and who deleted it, stays to be seen. \
            Nobody can make somebody forget what they have read.

            Example: parlance delete 3f9a11c2
            """
    )

    @Argument(help: "The message's ID, or its first 8 or more characters; 'parlance history --ids' shows it.")
    var id: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(DeleteOperation(id: id)) { _ in
            return ["It is deleted here, and on every other device as soon as it learns of it."]
        }
    }
}
