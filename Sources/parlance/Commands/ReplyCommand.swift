import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance reply [OPTIONS] ID TEXT...`
struct ReplyCommand: TypedTextCommand {
    static let beginning = Phrase("reply ID")

    static let configuration = CommandConfiguration(
        commandName: "reply",
        abstract: "Answer a message.",
        usage: "parlance reply [--json] [--profile <name>] [--data-dir <dir>] [--socket <path>] <id> [--] <text> ...",
        discussion: """
            The answer shows the beginning of what it answers.

            --file sends a file or a folder with it, as 'parlance send' does. Options come before ID or directly after it, \
            and are refused once the text has begun. A -- directly after ID begins the text.

            Examples: parlance reply 3f9a11c2 I will bring them
                      parlance reply last I will bring them
                      parlance reply "last:Night watch" I will bring them
                      date | parlance reply 3f9a11c2 -
            """
    )

    @Argument(
        help: "The message's ID, its first 8 or more characters ('parlance history --ids' shows it), or last.",
        completion: Completions.message
    )
    var id: String

    @OptionGroup var arguments: MessageTextArguments
    @OptionGroup var files: FileArguments
    @OptionGroup var options: Options

    func check() throws(ControlFailure) {
        try files.check(arguments.text)
        if files.needsWords { try TypedText.check(arguments.text, of: "reply") }
    }

    func run(_ session: Session) async throws {
        let whole = try files.whole(arguments.text)
        if !session.json { Terminal.standardError.write(TypedText.notes(arguments.text, of: Self.beginning)) }
        guard !files.files.isEmpty else {
            return try await session.write(ReplyOperation(id: id, text: whole, files: nil))
        }
        // Before a large file is copied: meanwhile "last" may become another message.
        var operation = InfoOperation(id: id)
        operation.others = true
        let message = try await session.client.call(operation).message
        let uploaded = try await FileUpload(session: session, arguments: files).files()
        try await session.write(
            ReplyOperation(id: message.id, text: whole, files: uploaded),
            meant: message.meant
        )
    }
}
