import ArgumentParser
import ParlanceControl

/// `parlance reply [OPTIONS] ID TEXT...`
struct ReplyCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "reply",
        abstract: "Answer a message.",
        usage: "parlance reply [--json] [--profile <name>] [--data-dir <dir>] [--socket <path>] <id> <text> ...",
        discussion: """
            The answer shows the beginning of what it answers.

            Everything behind ID is text, dashes too; options stand before ID. A -- right behind ID is left out.

            Examples: parlance reply 3f9a11c2 I will bring them
                      date | parlance reply 3f9a11c2 -
            """
    )

    @OptionGroup var arguments: MessageTextArguments
    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(ReplyOperation(id: arguments.id, text: try arguments.whole())) { sent in
            return TypedText.lines(sent, session)
        }
    }
}
