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

            --file sends a file or a folder with it, as 'parlance send' does; it stands before ID or right behind. Everything \
            else behind ID is text, dashes too; other options stand before ID. A -- right behind ID is left out.

            Examples: parlance reply 3f9a11c2 I will bring them
                      parlance reply last I will bring them
                      parlance reply "last:Night watch" I will bring them
                      date | parlance reply 3f9a11c2 -
            """
    )

    @OptionGroup var arguments: MessageTextArguments
    @OptionGroup var files: FileArguments
    @OptionGroup var options: Options

    func check() throws(ControlFailure) {
        let (files, words) = try files.parts(of: arguments.text)
        try files.check(words)
        if files.needsWords { try TypedText.check(words, of: "reply") }
    }

    func run(_ session: Session) async throws {
        let (files, words) = try files.parts(of: arguments.text)
        let whole = try files.whole(words)
        if !session.json { Terminal.standardError.write(TypedText.notes(words, of: Phrase("reply ID"))) }
        guard !files.files.isEmpty else {
            return try await session.write(ReplyOperation(id: arguments.id, text: whole, files: nil))
        }
        // Before a large file is copied: meanwhile "last" may become another message.
        var operation = InfoOperation(id: arguments.id)
        operation.others = true
        let message = try await session.client.call(operation).message
        let uploaded = try await FileUpload(session: session, arguments: files).files()
        try await session.write(
            ReplyOperation(id: message.id, text: whole, files: uploaded),
            meant: message.meant
        )
    }
}
