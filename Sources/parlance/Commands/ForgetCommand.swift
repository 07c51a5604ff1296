import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance forget WHO`
struct ForgetCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Forget somebody: alias, acceptance and known addresses.",
        discussion: """
            Your messages with them are kept, and 'parlance history' shows them; to remove them too: parlance conversation \
            delete. If they write again, it is a new request. A member of your workspace is accepted again as soon as both of \
            you are here; to keep somebody away: parlance block WHO.

            Example: parlance forget Bob
            """
    )

    @Argument(help: "A name, an alias or a peer ID.", completion: Completions.person)
    var who: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(ForgetOperation(who: who)) { _ in
            return [VisibleText.line(say("\(who) is forgotten. Your messages are kept."))]
        }
    }
}
