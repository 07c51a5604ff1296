import ArgumentParser
import ParlanceControl
import ParlanceWords

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
                      parlance reply last I will bring them
                      parlance reply "last:Night watch" I will bring them
                      date | parlance reply 3f9a11c2 -
            """
    )

    @OptionGroup var arguments: MessageTextArguments
    @OptionGroup var options: Options

    func check() throws(ControlFailure) {
        try TypedText.check(arguments.text, of: "reply")
    }

    func run(_ session: Session) async throws {
        let whole = try arguments.whole()
        if !session.json { Terminal.standardError.write(TypedText.notes(arguments.text, of: Phrase("reply ID"))) }
        try await session.write(ReplyOperation(id: arguments.id, text: whole))
    }
}
