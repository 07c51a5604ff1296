import ParlanceWords

/// For how long messages are kept, as typed: `12h`, `90d`, `52w` or `off`; the command and the chat say the same.
package enum RetainLength: Equatable, Sendable {
    case off
    /// - seconds
    case after(Int)

    package init?(_ text: String) {
        if text.lowercased() == "off" {
            self = .off
        } else if let seconds = PeriodText.seconds(of: text) {
            self = .after(seconds)
        } else {
            return nil
        }
    }

    /// Nil: without an end.
    package var seconds: Int? { if case .after(let seconds) = self { seconds } else { nil } }

    /// Whether the node takes it.
    package var isPossible: Bool { seconds.map(RetainOperation.lengths.contains) ?? true }
}
