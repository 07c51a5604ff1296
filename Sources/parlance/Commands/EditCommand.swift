import ArgumentParser
import ParlanceControl

/// `parlance edit [OPTIONS] ID TEXT...`
struct EditCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Give one of your messages another text.",
        usage: "parlance edit [--json] [--profile <name>] [--data-dir <dir>] [--socket <path>] <id> <text> ...",
        discussion: """
            The others see the new text, marked as edited; every version is kept ('parlance info ID').

            Everything behind ID is text, dashes too; options stand before ID. A -- right behind ID is left out.

            Examples: parlance edit 3f9a11c2 See you at one
                      date | parlance edit 3f9a11c2 -
            """
    )

    @OptionGroup var arguments: MessageTextArguments
    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(EditOperation(id: arguments.id, text: try arguments.whole())) { message in
            return ["It says now: \(VisibleText.line(message.text))"]
        }
    }
}
