import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance allow WHO`
struct AllowCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow",
        abstract: "Take more from somebody who has used up the quota of a day.",
        discussion: """
            Of one person, each conversation takes as much in a day as the setting message-quota says. What they write \
            beyond that waits on their computer, and comes the next day. This begins their day anew.

            Example: parlance allow Bob
            """
    )

    @Argument(help: "A name, an alias or a peer ID.", completion: Completions.person)
    var who: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(AllowOperation(who: who)) { _ in
            return [VisibleText.line(say("\(who) can write as much as in a whole day again."))]
        }
    }
}
