import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance name [NEW]`
struct NameCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "name",
        abstract: "Show or change the name that others see.",
        discussion: "Example: parlance name Ada"
    )

    @Argument(help: ArgumentHelp("The new name, at most 64 bytes.", valueName: "new"))
    var name: String?

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(NameOperation(name: name)) { reply in
            let shown = NameText.plain(reply.name)
            let line = name == nil ? shown : say("Your name is now \(shown).")
            guard let configured = reply.configured else { return [line] }
            let note = say(
                """
                The configuration sets the name to \(configured.name) (\(configured.place)), and wins at the next start or \
                reload: change it there.
                """
            )
            return [line, session.style(.warning, VisibleText.line(note))]
        }
    }
}
