import ParlanceTerminal

/// One row of the history.
struct HistoryRow: Equatable, Sendable {
    var pieces: [StyledText]
    /// What stands at the right end.
    var right: StyledText?
    /// The message that it belongs to; nil for headers.
    var message: String?
    /// Whether it says that the message has more rows than are shown.
    var isCut = false
}
