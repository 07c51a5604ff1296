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

    var onlyShows: Bool { name == nil }

    func run(_ session: Session) async throws {
        try await session.show(NameOperation(name: name)) { reply in
            let lines = name == nil ? [NameText.plain(reply.name)] : reply.lines(style: session.style)
            guard let configured = reply.configured else { return lines }
            let note = say(
                """
                The configuration sets the name to \(configured.name) (\(configured.place)), and wins at the next start or \
                reload: change it there.
                """
            )
            return lines + [session.style(.warning, VisibleText.line(note))]
        }
    }
}

extension NameReply {
    /// What a user who has changed the name is told.
    func lines(style: TextStyle) -> [String] {
        let done = [
            say("Your name is now \(NameText.plain(name))."),
            say(
                """
                People in sight see it within seconds. Those who have accepted you go on seeing the name that they know, \
                with a note of the new one.
                """
            ),
        ]
        guard let namesakes, !namesakes.isEmpty else { return done }
        let people = PeopleText.list(namesakes.map { "\(NameText.plain($0.displayName)) (\($0.id.prefix(8)))" })
        let warning =
            namesakes.count == 1
            ? say("\(people) has the same name. Choose another one, so that people can tell you apart.")
            : say("\(people) have the same name. Choose another one, so that people can tell you apart.")
        return done + [style(.warning, VisibleText.line(warning))]
    }
}
