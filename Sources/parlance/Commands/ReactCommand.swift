import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance react ID EMOJI`
struct ReactCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "react",
        abstract: "React to a message with an emoji.",
        discussion: """
            Examples: parlance react 3f9a11c2 👍
                      parlance react last 👍
                      parlance react --remove 3f9a11c2 👍
            """
    )

    @Argument(
        help: "The message's ID, its first 8 or more characters ('parlance history --ids' shows it), or last.",
        completion: Completions.message
    )
    var id: String

    @Argument(help: "Exactly one emoji.")
    var emoji: String

    @Flag(help: "Take your reaction back.")
    var remove = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(ReactOperation(id: id, emoji: emoji, remove: remove ? true : nil)) { message in
            let meant = MessageSummary.meant(message.meant)
            guard let reactions = message.reactions, !reactions.isEmpty else { return meant + [say("No reactions.")] }
            return meant + [say("Reactions: \(VisibleText.line(MessageSummary.reactions(reactions)))")]
        }
    }
}
