import ArgumentParser
import ParlanceControl

/// `parlance send [OPTIONS] WHO TEXT...`
struct SendCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Write to somebody, or to a group.",
        usage: "parlance send [--json] [--profile <name>] [--data-dir <dir>] [--socket <path>] <who> <text> ...",
        discussion: """
            It returns as soon as the message is safe in your own store. If they are away, it waits and is delivered \
            when they come back. The first message to somebody asks them whether they want to talk; on your own side \
            it accepts them. In a group @NAME mentions a member.

            Everything behind WHO is text, dashes too; options stand before WHO. A -- right behind WHO is left out.

            Examples: parlance send Bob See you at noon
                      parlance send Bob -h is short for --help
                      parlance send --json Bob See you at noon
                      parlance send Crew "@Bob the plans, please"
                      date | parlance send Bob -
            """
    )

    @Argument(help: "A name, an alias, a group's title, or an ID.")
    var who: String

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
        try await session.show(SendOperation(who: who, text: try TypedText.whole(text))) { sent in
            return TypedText.lines(sent, session, to: who)
        }
    }
}
