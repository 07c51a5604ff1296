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
    var prompt: String { "> " }

    /// Lays out the line that is written; what cannot be shown as it is counts as wide as it is drawn.
    mutating func layOutInput() {
        input = draft.editor.rows(width: paneWidth - DisplayWidth.of(prompt) - 1) { VisibleText.line(String($0)) }
    }

    /// How many rows the line that is written takes.
    var inputHeight: Int { min(input.rows.count, max(1, min(6, (height - 5) / 2))) }

    /// The rows of the history: without the header, the rows for news, the line below, and the input.
    var historyHeight: Int { max(1, height - 2 - newsHeight - inputHeight) }

    /// How many rows the news take: one, a second for a problem of the node, and more for a notice that is longer, which the
    /// history makes room for.
    var newsHeight: Int { shownNotice == nil && !problemRow.isEmpty ? 2 : max(1, noticeRows.count) }

    /// The notice below the history: while there is none, that the daemon hangs.
    var shownNotice: Notice? {
        notice ?? silentSince.map { Notice(text: say(DaemonAbsence.words(silentSince: $0, clock)), style: .warning) }
    }

    /// A notice, broken at the edge. The last row is cut if there is no room for all of it.
    var noticeRows: [String] {
        guard let notice = shownNotice else { return [] }
        var rows = WordWrap.lines(notice.text, width: paneWidth)
        let most = max(1, (height - 2 - inputHeight) / 2)
        guard rows.count > most else { return rows }
        let rest = rows[(most - 1)...].joined(separator: " ")
        rows.removeSubrange((most - 1)...)
        return rows + [DisplayWidth.cut(rest, to: paneWidth)]
    }

    /// Lays the history out anew if something changed; what is at the bottom edge stays there.
    mutating func layOut() {
        // What was laid out for another size stays until there is room again.
        guard !isTooSmall else { return }
        guard let open else {
            rows = []
            return
        }
        let day = clock.day(clock.now)
        if rowsAreOld || day != rowsDay || paneWidth != rowCache.width {
            let edge = scroll > 0 || staysAtEdge ? bottomEdge : nil
            let layout = HistoryLayout(width: paneWidth, clock: clock, glyphs: glyphs, whole: whole)
            rows = layout.rows(of: open, &rowCache)
            (rowsDay, rowsAreOld, staysAtEdge) = (day, false, false)
            if let edge { scroll = rowsBelow(edge) }
        }
        let most = max(0, rows.count - historyHeight)
        if showsNewFirst, !open.pages.isLoadingOlder {
            showsNewFirst = false
            if let first = open.firstNew, let place = rows.firstIndex(where: { $0.message == first }) {
                // The line "New" and the header of a day stand above it.
                scroll = rows.count - (place - 2) - historyHeight
            }
        }
        scroll = max(0, min(most, scroll))
        showSelection()
    }

    /// The message at the bottom edge, and how many of its rows are below it.
    var bottomEdge: (message: String, below: Int)? {
        let end = rows.count - scroll
        guard end > 0, let place = rows[..<min(end, rows.count)].lastIndex(where: { $0.message != nil }),
            let message = rows[place].message
        else { return nil }
        return (message, (rows.lastIndex { $0.message == message } ?? place) - place)
    }

    private func rowsBelow(_ edge: (message: String, below: Int)) -> Int {
        guard let last = rows.lastIndex(where: { $0.message == edge.message }) else { return scroll }
        return rows.count - 1 - last + edge.below
    }

    /// Scrolls so far that the selected message is seen.
    private mutating func showSelection() {
        guard let selected, let first = rows.firstIndex(where: { $0.message == selected }),
            let last = rows.lastIndex(where: { $0.message == selected })
        else { return }
        if centresSelection {
            centresSelection = false
            let below = rows.count - 1 - (first + last) / 2 - historyHeight / 2
            scroll = max(0, min(max(0, rows.count - historyHeight), below))
        }
        if showsSelectionFirst {
            showsSelectionFirst = false
            scroll = max(0, min(max(0, rows.count - historyHeight), rows.count - first - historyHeight))
            return
        }
        // One that is higher than the screen is read by pages.
        guard last - first < historyHeight else {
            if last < rows.count - scroll - historyHeight || first >= rows.count - scroll {
                scroll = max(0, rows.count - first - historyHeight)
            }
            return
        }
        let end = rows.count - scroll
        if last >= end { scroll = rows.count - 1 - last }
        if first < end - historyHeight { scroll = max(0, rows.count - first - historyHeight) }
    }

    /// The rows of the history that are on the screen.
    var shownRows: Range<Int> {
        let end = max(0, rows.count - scroll)
        return max(0, end - historyHeight)..<end
    }

    /// Whether the history is on the screen at all.
    private var isHistoryShown: Bool { !isTooSmall && !(isNarrow && isListFocused) }

    /// The messages whose last row is on the screen.
    var shownMessages: [String] {
        guard isHistoryShown else { return [] }
        let range = shownRows
        var cut: String?
        if range.upperBound < rows.count { cut = rows[range.upperBound].message }
        return rows[range].compactMap { $0.message == cut ? nil : $0.message }
    }

    /// How many new messages are above the screen, as far as they are here.
    var newAbove: Int {
        guard let open, !rows.isEmpty, let first = rows[shownRows].first(where: { $0.message != nil })?.message,
            let place = open.place(first)
        else { return 0 }
        return open.messages[..<place].count(where: open.isNew)
    }
}
