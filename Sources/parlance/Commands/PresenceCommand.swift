import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance presence [online|away|busy] [TEXT]`
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
            the next time. A status text says why you are away or busy: it goes with the state, unless you give another. To \
            be offline, stop the daemon.

            Examples: parlance presence busy in the engine room until noon
                      parlance presence --text "back at noon"
            """
    )

    @Argument(help: "online, away or busy.")
    var state: Choice?

    @Argument(help: ArgumentHelp("A status text, at most 140 bytes.", valueName: "text"))
    var words: [String] = []

    @Option(help: "The same, also without a state; \"\" takes it away.")
    var text: String?

    @OptionGroup var options: Options

    func validate() throws {
        guard words.isEmpty || text == nil else {
            throw ValidationError(say("The text was given twice: after the state, and with --text."))
        }
    }

    var onlyShows: Bool { state == nil && text == nil }

    func run(_ session: Session) async throws {
        let text = words.isEmpty ? text : words.joined(separator: " ")
        try await session.show(PresenceOperation(state: state?.state, text: text)) { own in
            let cell = session.presence(own.state)
            let text = own.text.map { " (\(VisibleText.line($0)))" } ?? ""
            let away = own.away.map { AwayText(away: $0, clock: session.clock).whole }
            return [say("You are \(session.style(cell.role, cell.text))\(text).")] + [away].compactMap(\.self)
        }
    }
}
