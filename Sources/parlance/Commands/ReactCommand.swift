import ArgumentParser
import ParlanceChat
import ParlanceControl
import ParlanceTexts
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

    @Argument(help: "Exactly one emoji, or its name, such as :heart:.")
    var emoji: String

    @Flag(help: "Take your reaction back.")
    var remove = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        // Without its colon a name is a word that was put in the wrong place.
        let named = emoji.hasPrefix(":") ? EmojiNames.emoji(emoji) : nil
        let operation = ReactOperation(id: id, emoji: named ?? emoji, remove: remove ? true : nil)
        do {
            try await session.show(operation) { message in
                let meant = MessageSummary.meant(message.meant)
                guard let reactions = message.reactions, !reactions.isEmpty else {
                    return meant + [say("No reactions.")]
                }
                return meant + [say("Reactions: \(VisibleText.line(MessageSummary.reactions(reactions)))")]
            }
        } catch let failure as ControlFailure where failure.reason?.name == "notAnEmoji" {
            throw advised(failure)
        }
    }

    /// The same failure with the name that was probably meant, if colons are all that is missing.
    private func advised(_ failure: ControlFailure) -> ControlFailure {
        guard !emoji.hasPrefix(":"), EmojiNames.emoji(emoji) != nil else { return failure }
        let name = ":\(emoji.lowercased().prefix { $0 != ":" }):"
        // A name of an emoji needs no quotes.
        let command = "\(ShellWord.command(remove ? "parlance react --remove" : "parlance react", [id])) \(name)"
        var advised = failure
        advised.advice = Phrase("Did you mean \(name)? To react with it: \(Phrase(command: command))")
        return advised
    }
}
