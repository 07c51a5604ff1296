import ArgumentParser
import ParlanceControl

/// `parlance courier [WHO]`
struct CourierCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "courier",
        abstract: "Let somebody carry sealed messages for you, and carry theirs.",
        discussion: """
            What you write to somebody who is away is left with up to three couriers, sealed: they give it to them when they \
            meet, even if your computer is off by then. A courier sees for whom it is and from whom, and nothing else. It has to \
            name you too, and to know the one it is for. In a workspace its members are couriers for each other.

            Examples: parlance courier
                      parlance courier Bob
                      parlance courier Bob --remove
            """
    )

    @Argument(
        help: "A name, an alias or a peer ID of somebody you have accepted; nobody: it is told who you have named."
    )
    var who: String?

    @Flag(help: "Take it back; what they hold already stays with them until it expires.")
    var remove = false

    @OptionGroup var options: Options

    func validate() throws {
        if who == nil && remove { throw ValidationError("Missing expected argument '<who>'") }
    }

    func run(_ session: Session) async throws {
        guard let who else { return try await list(session) }
        try await session.show(CourierOperation(who: who, remove: remove ? true : nil)) { peer in
            return [
                VisibleText.line(
                    remove
                        ? "\(peer.displayName) is no courier of yours any more."
                        : "\(peer.displayName) may carry messages for you, and you for them, once they say so too."
                )
            ]
        }
    }

    private func list(_ session: Session) async throws {
        try await session.show(PeersOperation()) { reply in
            let named = reply.peers.filter { $0.courier == true }
            guard !named.isEmpty else { return ["You have named no couriers. To name one: parlance courier WHO"] }
            return [VisibleText.line("You have named \(PeopleText.list(named.map(\.shownName))).")]
        }
    }
}
