import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance id`
struct IDCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "id",
        abstract: "Show your own peer ID and name.",
        discussion: """
            The peer ID is your public key. Others can use it to be sure that they mean you.

            Example: parlance id
            """
    )

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(IDOperation()) { identity in
            return [
                session.style(.strong, PeerIDText.grouped(VisibleText.line(identity.id))),
                NameText.plain(identity.name),
            ]
        }
    }
}
