import ArgumentParser
import ParlanceControl

/// `parlance typing WHO`
struct TypingCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "typing",
        abstract: "Show somebody that you are typing, for 3 seconds.",
        discussion: """
            For programs that write for you. It is sent at most twice a second and never stored.

            Example: parlance typing Bob
            """
    )

    @Argument(help: "A name, an alias, a group's title, or an ID.", completion: Completions.conversation)
    var who: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(TypingOperation(who: who)) { _ in
            return []
        }
    }
}
