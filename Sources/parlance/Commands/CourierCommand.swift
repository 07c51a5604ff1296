import ArgumentParser
import ParlanceControl

/// `parlance courier WHO`
struct CourierCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "courier",
        abstract: "Let somebody carry sealed messages for you, and carry theirs.",
        discussion: """
            What you write to somebody who is away is left with up to three couriers, sealed: they give it to them when they \
            meet, even if your computer is off by then. A courier sees for whom it is and from whom, and nothing else. It has to \
            name you too, and to know the one it is for. In a workspace its members are couriers for each other.

            Examples: parlance courier Bob
                      parlance courier Bob --remove
            """
    )

    @Argument(help: "A name, an alias or a peer ID of somebody you have accepted.")
    var who: String

    @Flag(help: "Take it back; what they hold already stays with them until it expires.")
    var remove = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(.courier(CourierRequest(who: who, remove: remove ? true : nil))) { reply in
            guard case .peer(let peer) = reply else { return nil }
            return [
                VisibleText.line(
                    remove
                        ? "\(peer.displayName) is no courier of yours any more."
                        : "\(peer.displayName) may carry messages for you, and you for them, once they say so too."
                )
            ]
        }
    }
}
