import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance edit [OPTIONS] ID TEXT...`
struct EditCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change the text of one of your messages.",
        usage: "parlance edit [--json] [--profile <name>] [--data-dir <dir>] [--socket <path>] <id> <text> ...",
        discussion: """
            The others see the new text, marked as edited. 'parlance info ID' shows every version.

            Everything after ID is text, even if it begins with a dash, so put options before ID. A -- right after ID is \
            left out.

            Examples: parlance edit 3f9a11c2 See you at one
                      parlance edit last See you at one
                      date | parlance edit 3f9a11c2 -
            """
    )

    @OptionGroup var arguments: MessageTextArguments
    @OptionGroup var options: Options

    func check() throws(ControlFailure) {
        try TypedText.check(arguments.text, of: "edit")
    }

    func run(_ session: Session) async throws {
        let whole = try arguments.whole()
        if !session.json { Terminal.standardError.write(TypedText.notes(arguments.text, of: Phrase("edit ID"))) }
        try await session.show(EditOperation(id: arguments.id, text: whole)) { message in
            return MessageSummary.meant(message.meant) + [say("Edited: \(VisibleText.line(message.text))")]
        }
    }
}
