import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance presence [online|away|busy] [--text ...]`
struct PresenceCommand: NodeCommand {
    /// The states that can be set; to be offline, stop the daemon.
    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case online, away, busy

        var state: PresenceState {
            switch self {
            case .online: .online
            case .away: .away
            case .busy: .busy
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "presence",
        abstract: "Show or set whether you are online, away or busy.",
        discussion: """
            Without anything it shows what you have set, and whether others see you as away: they do when your desktop \
            or a chat screen has seen no input for 10 minutes, or when the screen is locked. 'online' ends that until \
            the next time, and takes the status text away, unless you give another. To be offline, stop the daemon.

            Example: parlance presence busy --text "in the engine room until noon"
            """
    )

    @Argument(help: "online, away or busy.")
    var state: Choice?

    @Option(help: "A status text, at most 140 bytes; \"\" takes it away.")
    var text: String?

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(PresenceOperation(state: state?.state, text: text)) { own in
            let cell = session.presence(own.state)
            let text = own.text.map { " (\(VisibleText.line($0)))" } ?? ""
            let away = own.away.map { AwayText(away: $0, clock: session.clock).whole }
            return [say("You are \(session.style(cell.role, cell.text))\(text).")] + [away].compactMap(\.self)
        }
    }
}
