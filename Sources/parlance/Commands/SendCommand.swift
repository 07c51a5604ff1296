import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance send [OPTIONS] WHO TEXT...`
struct SendCommand: TypedTextCommand {
    static let beginning = Phrase("send WHO")

    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Write to somebody, or to a group.",
        usage: """
            parlance send [--json] [--profile <name>] [--data-dir <dir>] [--socket <path>] <who> [--] <text> ...
                   parlance send <who> --file <path> ... [--keep-metadata] [--name <name>] [--text <text>]
            """,
        discussion: """
            The message is safe in your own store before anything else happens. The command then waits up to 0.3 s to say \
            whether it was delivered, left with a courier, or why it waits; with --json it returns at once. A message to \
            somebody who is away is delivered when they come back. The first message to somebody asks them whether they want to talk; on your own side \
            it accepts them. In a group @NAME mentions a member, and @all everybody.

            --file sends a file or a folder, with a text or without. The file is copied \
            first, so the original can change or go. What pictures tell of place, time and camera is removed, unless \
            --keep-metadata is given. --file - takes what another program writes, and --name says how it is called.

            Options come before WHO or directly after it. Once the text has begun, an option is refused, so that nothing \
            is sent by mistake; a -- directly after WHO begins the text, and everything after it is text. The \
            shell removes quotes and apostrophes and takes # for the beginning of a comment; put such a text in quotes, or \
            give it on standard input (WHO -). To send a dash: WHO -- -

            Examples: parlance send Bob See you at noon
                      parlance send Bob -- --file is an option
                      parlance send --json Bob See you at noon
                      parlance send Crew "@Bob the plans, please"
                      date | parlance send Bob -
                      parlance send Bob --file report.pdf Here it is
                      parlance send Crew --file photos --file plan.odt
                      ps aux | parlance send Bob --file - --name processes.txt
            """
    )

    @Argument(help: "A name, an alias, a group's title, or an ID.", completion: Completions.conversation)
    var who: String

    @Argument(
        parsing: .captureForPassthrough,
        help: "The text; the words are joined by spaces. A single - reads it from standard input."
    )
    var text: [String] = []

    @OptionGroup var files: FileArguments
    @OptionGroup var options: Options

    func check() throws(ControlFailure) {
        try files.check(text)
        if files.needsWords { try TypedText.check(text, of: "send") }
    }

    func run(_ session: Session) async throws {
        // Who is meant is found before somebody types a long text, and before a large file is copied. It stays so, also
        // if somebody else has the name by then.
        var meant = who
        if TypedText.isTypedLater(text) || !files.files.isEmpty {
            let found = try await session.client.call(HistoryOperation(who: who, limit: 1)).conversation
            meant = found.peer ?? found.id
        }
        let whole = try files.whole(text)
        if !session.json { Terminal.standardError.write(TypedText.notes(text, of: Self.beginning)) }
        let uploaded = try await FileUpload(session: session, arguments: files).files()
        try await session.write(SendOperation(who: meant, text: whole, files: uploaded), to: who)
    }
}
