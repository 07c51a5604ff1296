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

    @Argument(help: "The message's ID, or its first 8 or more characters; 'parlance history --ids' shows it.")
    var id: String

    @Argument(
        parsing: .captureForPassthrough,
        help: "The text; the words are joined by spaces. A single - reads it from standard input."
    )
    var text: [String]

    @OptionGroup var options: Options

    func validate() throws {
        try TypedText.validate(text)
    }

    func run(_ session: Session) async throws {
        let request = MessageTextRequest(id: id, text: try TypedText.whole(text))
        try await session.show(.reply(request)) { reply in
            guard case .sent(let sent) = reply else { return nil }
            return TypedText.lines(sent, session)
        }
    }
}
