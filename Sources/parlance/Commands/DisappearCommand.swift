import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// `parlance disappear WHO [LENGTH|off]`
struct DisappearCommand: NodeCommand, NumberCommand {
    static let configuration = CommandConfiguration(
        commandName: "disappear",
        abstract: "Let the messages of a conversation disappear from every computer after a time.",
        discussion: """
            In a direct conversation it counts once both of you want it, for the longer of both times, and either of you \
            ends it with 'off'. In a group the last word of an admin counts. Everybody's computer removes messages that \
            are older, once they are read and delivered; none goes before a computer has known of it for the whole time. Who \
            wants to keep a message can copy it, and backups and exports keep what they have. Without LENGTH it says what \
            counts. For your own computer alone, see 'parlance retain'.

            Example: parlance disappear Bob 7d
            """
    )

    static var numbers: Phrase { RetainLength.values }

    @Argument(help: "A name, an alias, a group's title, or an ID.", completion: Completions.conversation)
    var who: String

    @Argument(
        help: ArgumentHelp("A number with h, d or w, such as 12h, 7d or 4w; or off.", valueName: "length"),
        transform: RetainLength.typed
    )
    var length: RetainLength?

    @OptionGroup var options: Options

    func validate() throws {
        guard length?.isPossible == false else { return }
        throw ValidationError(say(RetainLength.impossible))
    }

    var onlyShows: Bool { length == nil }

    func run(_ session: Session) async throws {
        let seconds = length.map { $0.seconds ?? 0 }
        let command = ShellWord.command("parlance disappear", [who])
        try await session.show(DisappearOperation(who: who, seconds: seconds)) {
            [VisibleText.line(say(DisappearText.sentence($0, command: command, session.clock)))]
        }
    }
}
