import ParlanceControl
import ParlanceTerminal

/// What is shown in place of everything until a key closes it.
struct Sheet: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        case help
        /// The way of a message.
        case ledger(MessageLife)
    }

    let content: Content
    /// The first line that is shown.
    var top = 0

    init(_ content: Content) {
        self.content = content
    }

    func lines(width: Int, clock: LocalClock) -> [[StyledText]] {
        switch content {
        case .help: HelpText.lines(width: width)
        case .ledger(let life): LedgerText(life: life, clock: clock).lines(width: width)
        }
    }
}
