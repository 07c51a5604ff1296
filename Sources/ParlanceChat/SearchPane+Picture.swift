import ParlanceControl
import ParlanceTerminal
import ParlanceTexts
import ParlanceWords

// What the search shows.
extension SearchPane {
    /// Rows of a hit: where, who and when; and its text.
    private static let rowsPerHit = 2
    /// Rows above the hits: the query, and what was found.
    private static let hitsTop = 2

    /// How many hits a screen of a height has room for.
    func hitsPerPage(_ height: Int) -> Int {
        let below = reply?.unsearched == nil ? 0 : 1
        return max(1, (height - Self.hitsTop - below) / Self.rowsPerHit)
    }

    func draw(_ picture: inout Picture, notice: Notices.Notice?, clock: LocalClock) {
        let width = picture.width
        let hitsPerPage = hitsPerPage(picture.height)
        let prompt = say("Search:") + " "
        let column = DisplayWidth.of(prompt)
        picture.write(prompt, .strong, row: 0, column: 0)
        let line = editor.rows(width: width - column - 1) { VisibleText.line(String($0)) }
        picture.write(line.rows[line.cursor.row], row: 0, column: column)
        picture.cursor = Picture.Position(row: 0, column: column + line.cursor.column)
        let about = notice?.text ?? VisibleText.line(say(state))
        picture.write(DisplayWidth.cut(about, to: width), notice?.style ?? .faint, row: 1, column: 0)
        guard isAnswered, let hits = reply?.hits else { return }
        let first = max(0, min(chosen - hitsPerPage / 2, hits.count - hitsPerPage))
        for (index, hit) in hits[first...].prefix(hitsPerPage).enumerated() {
            let row = Self.hitsTop + index * Self.rowsPerHit
            draw(hit, isChosen: first + index == chosen, row, &picture, clock)
        }
        if let unsearched = reply?.unsearched {
            let hint = say("Not everything was searched: \(unsearched) entries are still to be taken into the index.")
            picture.write(DisplayWidth.cut(hint, to: width), .warning, row: picture.height - 1, column: 0)
        }
    }

    private func draw(
        _ hit: SearchHit,
        isChosen: Bool,
        _ row: Int,
        _ picture: inout Picture,
        _ clock: LocalClock
    ) {
        let width = picture.width
        let sender = hit.sender.me == true ? say("You") : NameText.marked(hit.sender.displayName, hit.sender.trust)
        let place = hit.kind == .group || hit.sender.me == true ? NameText.plain(hit.title) + ", " : ""
        let head = VisibleText.line("\(place)\(sender), \(clock.short(hit.time))")
        let blank = String(repeating: " ", count: width)
        if isChosen { picture.write(blank, .selected, row: row, column: 0) }
        picture.write(DisplayWidth.cut(head, to: width), isChosen ? .selected : .name, row: row, column: 0)
        picture.write(ExcerptText.line(hit.excerpt, width: width - 2), row: row + 1, column: 2)
    }
}
