import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// `parlance edit [OPTIONS] ID TEXT...`
struct EditCommand: TypedTextCommand {
    static let beginning = Phrase("edit ID")

    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change the text of one of your messages.",
        usage: "parlance edit [--json] [--profile <name>] [--data-dir <dir>] [--socket <path>] <id> [--] <text> ...",
        discussion: """
            The others see the new text, marked as edited. 'parlance info ID' shows every version.

            Options come before ID or directly after it, and are refused once the text has begun. A -- directly after ID \
            begins the text.

            Examples: parlance edit 3f9a11c2 See you at one
                      parlance edit last See you at one
                      date | parlance edit 3f9a11c2 -
            """
    )

    @Argument(
        help: "The message's ID, its first 8 or more characters ('parlance history --ids' shows it), or last.",
        completion: Completions.ownMessage
    )
    var id: String

    @OptionGroup var arguments: MessageTextArguments
    @OptionGroup var options: Options

    func check() throws(ControlFailure) {
        try TypedText.check(arguments.text, of: "edit")
    }

    func run(_ session: Session) async throws {
        let whole = try arguments.whole()
        if !session.json { Terminal.standardError.write(TypedText.notes(arguments.text, of: Self.beginning)) }
        let message = try await session.show(EditOperation(id: id, text: whole)) { message in
            MessageSummary.meant(message.meant) + [say("Edited: \(VisibleText.line(message.text))")]
        }
        if !session.json { Terminal.standardError.write(message.mentionNotes.map { VisibleText.line(say($0)) }) }
    }
}
