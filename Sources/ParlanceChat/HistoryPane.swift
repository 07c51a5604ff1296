import ParlanceControl
import ParlanceTerminal

/// What is seen of the open conversation: its rows, how far they are scrolled, and which message is selected.
struct HistoryPane: Sendable {
    private(set) var rows: [HistoryRow] = []
    /// Whether something changed since they were laid out.
    private var isOld = true
    private var cache = RowCache()
    /// The day for which they are.
    private var day: Int64 = 0
    /// How many rows there is room for.
    var height = 1
    /// How many rows are below the bottom edge.
    private(set) var scroll = 0
    /// Whether what is at the bottom edge stays there though nothing was below it.
    var staysAtEdge = false
    /// Whether the selected message is to stand in the middle, once it is laid out.
    var centresSelection = false
    /// Whether the view is to begin at the selected message, once it is laid out.
    private var showsSelectionFirst = false
    /// Whether the view is to begin at the line "New", once it is laid out.
    var showsNewFirst = false
    var selected: String?
    /// Long messages of which all rows are shown.
    private var whole: Set<String> = []

    init() {}

    /// - Parameter message: the one that is to be shown; nil for the newest.
    init(at message: String?) {
        selected = message
    }

    // MARK: - What changes it

    /// Something about the messages has changed.
    mutating func changed() {
        isOld = true
    }

    /// These messages are not there any more.
    mutating func lost(_ ids: [String]) {
        if let selected, ids.contains(selected) { self.selected = nil }
        isOld = true
    }

    /// Shows a message that is here, in the middle.
    mutating func go(to message: String) {
        (selected, showsNewFirst, centresSelection) = (message, false, true)
    }

    mutating func goToNew() {
        (selected, showsNewFirst, isOld) = (nil, true, true)
    }

    mutating func goToEnd() {
        (scroll, showsNewFirst, staysAtEdge, isOld) = (0, false, false, true)
    }

    /// Shows all rows of a message, or folds it again.
    mutating func unfold(_ message: String) {
        if whole.remove(message) == nil { whole.insert(message) }
        isOld = true
        showsSelectionFirst = true
    }

    mutating func scroll(byPages pages: Int) {
        scroll = max(0, min(most, scroll + pages * page))
    }

    // MARK: - Where it stands

    private var page: Int { max(1, height - 2) }
    /// How many rows can be below the bottom edge.
    private var most: Int { max(0, rows.count - height) }
    /// Whether the page above is to be asked for: before it is needed.
    var isNearBeginning: Bool { scroll + page >= most }
    var isNearEnd: Bool { scroll <= page }

    /// The rows that are on the screen.
    var shown: Range<Int> {
        let end = max(0, rows.count - scroll)
        return max(0, end - height)..<end
    }

    /// The messages whose last row is on the screen.
    var shownMessages: [String] {
        let range = shown
        let cut = range.upperBound < rows.count ? rows[range.upperBound].message : nil
        return rows[range].compactMap { $0.message == cut ? nil : $0.message }
    }

    /// How many new messages are above the screen, as far as they are here.
    func newAbove(in open: OpenConversation?) -> Int {
        guard let open, !rows.isEmpty, let first = rows[shown].first(where: { $0.message != nil })?.message,
            let place = open.place(first)
        else { return 0 }
        return open.messages[..<place].count(where: open.isNew)
    }

    /// Whether rows of the selected message are not shown.
    var isSelectionCut: Bool { selected != nil && rows.contains { $0.message == selected && $0.isCut } }

    /// The message that stays where it is when messages come; nil at the end, and while the line "New" is looked for.
    var edge: String? { scroll > 0 && !showsNewFirst ? bottomEdge?.message : nil }

    /// The message at the bottom edge, and how many of its rows are below it.
    private var bottomEdge: (message: String, below: Int)? {
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

    // MARK: - Laying it out

    /// Lays the rows out anew if something changed; what is at the bottom edge stays there.
    mutating func layOut(_ open: OpenConversation?, width: Int, clock: LocalClock, glyphs: Glyphs) {
        guard let open else {
            rows = []
            return
        }
        let today = clock.day(clock.now)
        if isOld || today != day || width != cache.width {
            let edge = scroll > 0 || staysAtEdge ? bottomEdge : nil
            let layout = HistoryLayout(width: width, clock: clock, glyphs: glyphs, whole: whole)
            rows = layout.rows(of: open, &cache)
            (day, isOld, staysAtEdge) = (today, false, false)
            if let edge { scroll = rowsBelow(edge) }
        }
        if showsNewFirst, !open.pages.isLoadingOlder {
            showsNewFirst = false
            if let first = open.firstNew, let place = rows.firstIndex(where: { $0.message == first }) {
                // The line "New" and the header of a day stand above it.
                scroll = rows.count - (place - 2) - height
            }
        }
        scroll = max(0, min(most, scroll))
        showSelection()
    }

    /// Scrolls so far that the selected message is seen.
    private mutating func showSelection() {
        guard let selected, let first = rows.firstIndex(where: { $0.message == selected }),
            let last = rows.lastIndex(where: { $0.message == selected })
        else { return }
        if centresSelection {
            centresSelection = false
            scroll = max(0, min(most, rows.count - 1 - (first + last) / 2 - height / 2))
        }
        if showsSelectionFirst {
            showsSelectionFirst = false
            scroll = max(0, min(most, rows.count - first - height))
            return
        }
        // One that is higher than the screen is read by pages.
        guard last - first < height else {
            if last < rows.count - scroll - height || first >= rows.count - scroll {
                scroll = max(0, rows.count - first - height)
            }
            return
        }
        let end = rows.count - scroll
        if last >= end { scroll = rows.count - 1 - last }
        if first < end - height { scroll = max(0, rows.count - first - height) }
    }

    /// Draws the rows that are on the screen at the bottom of their room, where the next message comes.
    ///
    /// - Returns: how many rows above them are empty.
    func draw(_ picture: inout Picture, row: Int, column: Int) -> Int {
        let visible = rows[shown]
        let top = row + height - visible.count
        for (index, line) in visible.enumerated() {
            let isSelected = line.message != nil && line.message == selected
            if isSelected {
                let blank = String(repeating: " ", count: max(1, picture.width - column))
                picture.write(blank, .selected, row: top + index, column: column)
            }
            picture.write(isSelected ? line.pieces.styled(.selected) : line.pieces, row: top + index, column: column)
            guard let right = line.right else { continue }
            let end = picture.width - DisplayWidth.of(right.text)
            picture.write(right.text, isSelected ? .selected : right.style, row: top + index, column: end)
        }
        return top - row
    }
}
