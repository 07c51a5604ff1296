import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// `parlance courier [WHO]`
struct CourierCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "courier",
        abstract: "Let somebody carry sealed messages for you, and carry theirs.",
        discussion: """
            Your node leaves messages for somebody who is away with up to three couriers, sealed. A courier hands them \
            over when it meets the recipient, even if your computer is off by then. It sees the sender and the recipient, \
            and cannot read the message. A courier must name you too, and must know the recipient. In a workspace all \
            members are couriers for each other.

            Examples: parlance courier
                      parlance courier Bob
                      parlance courier Bob --remove
            """
    )

    @Argument(
        help: "A name, an alias or a peer ID of somebody you have accepted; leave it out to list your couriers.",
        completion: Completions.person
    )
    var who: String?

    @Flag(help: "End this; messages that they already hold stay with them until they expire.")
    var remove = false

    @OptionGroup var options: Options

    func validate() throws {
        if who == nil && remove { throw ValidationError(say("Name somebody: parlance courier WHO --remove")) }
    }

    var onlyShows: Bool { who == nil }

    func run(_ session: Session) async throws {
        guard let who else { return try await list(session) }
        try await session.show(CourierOperation(who: who, remove: remove ? true : nil)) { peer in
            return [
                VisibleText.line(
                    remove
                        ? say("\(peer.shownName) is no longer your courier.")
                        : say("\(peer.shownName) is your courier, and you are theirs, once they name you too.")
                )
            ]
        }
        if !remove { session.terminal.write(try await workspaceLines(session)) }
    }

    private func list(_ session: Session) async throws {
        let members = try await workspaceLines(session)
        try await session.show(PeersOperation()) { reply in
            let named = reply.peers.filter { $0.courier == true }
            if named.isEmpty, !members.isEmpty { return members }
            guard !named.isEmpty else { return [say("You have named no couriers. To name one: parlance courier WHO")] }
            return [VisibleText.line(say("You have named \(PeopleText.list(named.map(\.shownName)))."))] + members
        }
    }

    /// That in a workspace nobody has to be named; empty outside of one, for somebody excluded from it, and with JSON.
    private func workspaceLines(_ session: Session) async throws -> [String] {
        guard !session.json, let workspace = try await session.client.call(WorkspaceShowOperation()).workspace,
            workspace.charter?.excludedBy == nil
        else { return [] }
        return [
            VisibleText.line(
                say(
                    "In the workspace \(NameText.plain(workspace.name)) all members are couriers for each other, whether or not they name each other."
                )
            )
        ]
    }
}
