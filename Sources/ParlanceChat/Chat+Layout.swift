import ParlanceControl
import ParlanceTerminal
import ParlanceWords

// Where everything is on the screen.
extension Chat {
    var isTooSmall: Bool { height < Self.least.height || width < Self.least.width }
    var isNarrow: Bool { width < Self.narrowWidth }

    /// The columns of the list at the left, without the line beside it; 0 if it is hidden.
    var listWidth: Int { isNarrow ? 0 : min(24, width / 4 - 2) }

    /// The first column of the conversation.
    var paneColumn: Int { isNarrow ? 0 : listWidth + 3 }
    var paneWidth: Int { max(1, width - paneColumn) }

    /// What stands before the line that is written.
    static let prompt = "> "

    /// How many rows the line that is written takes.
    var inputHeight: Int { min(composer.rows.count, max(1, min(6, (height - 5) / 2))) }

    /// The rows of the history: without the header, the rows for news, the line below, and the input.
    var historyHeight: Int { max(1, height - 2 - newsHeight - inputHeight) }

    /// How many rows the news take: one, a second for a problem of the node, and more for a notice that is longer, which the
    /// history makes room for.
    var newsHeight: Int { shownNotice == nil && !problemRow.isEmpty ? 2 : max(1, noticeRows.count) }

    /// The notice below the history: while there is none, that the daemon hangs.
    var shownNotice: Notices.Notice? {
        notices.present ?? silentSince.map { Notices.Notice(DaemonAbsence.words(silentSince: $0, clock), .warning) }
    }

    var noticeRows: [String] {
        shownNotice?.rows(width: paneWidth, most: max(1, (height - 2 - inputHeight) / 2)) ?? []
    }

    /// Lays the history out anew if something changed.
    mutating func layOut() {
        history.height = historyHeight
        // What was laid out for another size stays until there is room again.
        if !isTooSmall { history.layOut(open, width: paneWidth, clock: clock, glyphs: glyphs) }
    }

    /// The messages whose last row is on the screen.
    var shownMessages: [String] { isTooSmall || isNarrow && list.isFocused ? [] : history.shownMessages }
}
