import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance send [OPTIONS] WHO TEXT...`
struct SendCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Write to somebody, or to a group.",
        usage: "parlance send [--json] [--profile <name>] [--data-dir <dir>] [--socket <path>] <who> <text> ...",
        discussion: """
            The message is safe in your own store before anything else happens. The command then waits up to 0.3 s to say \
            whether it was delivered, left with a courier, or why it waits; with --json it returns at once. A message to \
            somebody who is away is delivered when they come back. The first message to somebody asks them whether they want to talk; on your own side \
            it accepts them. In a group @NAME mentions a member, and @all everybody.

            Everything behind WHO is text, dashes too; options stand before WHO. A text with a word such as --json is sent \
            as it is, with a note on standard error. A -- right behind WHO is left out and turns that note off. The \
            shell removes quotes and apostrophes and takes # for the beginning of a comment; put such a text in quotes, or \
            give it on standard input (WHO -). To send a dash: WHO -- -

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
    var text: [String] = []

    @OptionGroup var options: Options

    func check() throws(ControlFailure) {
        try TypedText.check(text, of: "send")
    }

    func run(_ session: Session) async throws {
        // Who is meant is found before somebody types a long text.
        if TypedText.isTypedLater(text) { _ = try await session.client.call(HistoryOperation(who: who, limit: 1)) }
        let whole = try TypedText.whole(text)
        if !session.json { Terminal.standardError.write(TypedText.notes(text, of: Phrase("send WHO"))) }
        try await session.write(SendOperation(who: who, text: whole), to: who)
    }
}
