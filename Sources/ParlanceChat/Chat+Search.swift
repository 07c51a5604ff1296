import ParlanceControl
import ParlanceTerminal
import ParlanceWords

// The search for messages in all conversations.
extension Chat {
    /// Rows of a hit: where, who and when; and its text.
    private static let rowsPerHit = 2
    /// Rows above the hits: the query, and what was found.
    private static let hitsTop = 2

    private var hitsPerPage: Int {
        let below = search.reply?.unsearched == nil ? 0 : 1
        return max(1, (height - Self.hitsTop - below) / Self.rowsPerHit)
    }

    /// Shows what was found before, and asks anew: messages may have come.
    mutating func openSearch() -> [ChatEffect] {
        search.isOpen = true
        return isConnected ? search.askAgain().map { [.call($0, .search($0))] } ?? [] : []
    }

    mutating func pressedInSearch(_ key: Key) -> [ChatEffect] {
        switch key {
        case .control("q"): return [.leave]
        case .control("l"): return [.redraw]
        case .control("z"): return [.suspend]
        case .named(.escape, _), .control("f"): search.isOpen = false
        case .control("c"): if search.editor.isEmpty { search.isOpen = false } else { search.editor = LineEditor() }
        case .named(.enter, _): return enterSearch()
        case .named(.up, _), .control("p"): return choose(-1)
        case .named(.down, _), .control("n"): return choose(1)
        case .named(.pageUp, _): return choose(-hitsPerPage)
        case .named(.pageDown, _): return choose(hitsPerPage)
        case .text(let scalar): search.editor.insert(scalar)
        case .paste(let text, _): search.editor.insert(text.replacing("\n", with: " "))
        default: search.editor.press(key)
        }
        return []
    }

    /// Goes to the chosen message if the query was answered, or else asks.
    private mutating func enterSearch() -> [ChatEffect] {
        guard let hit = search.hit else { return askSearch() }
        search.isOpen = false
        go(to: hit.id, in: hit.conversation)
        return []
    }

    /// Shows a message where it stands.
    mutating func go(to message: String, in conversation: String) {
        sheet = nil
        isListFocused = false
        let who = list.conversations.first { $0.id == conversation }.map { $0.peer ?? $0.id } ?? conversation
        guard who != open?.who || open?.place(message) == nil else {
            selected = message
            showsNewFirst = false
            centresSelection = true
            return
        }
        turn(to: who, at: message)
    }

    mutating func askSearch() -> [ChatEffect] {
        guard isConnected else {
            tell(Phrase("The daemon does not answer."), .warning)
            return []
        }
        return search.ask().map { [.call($0, .search($0))] } ?? []
    }

    private mutating func choose(_ step: Int) -> [ChatEffect] {
        search.choose(step)
        guard step > 0, search.isNearEnd, isConnected else { return [] }
        return search.askForMore().map { [.call($0, .search($0))] } ?? []
    }

    // MARK: - What is shown

    func drawSearch(_ picture: inout Picture) {
        let prompt = say("Search:") + " "
        let column = DisplayWidth.of(prompt)
        picture.write(prompt, .strong, row: 0, column: 0)
        let line = search.editor.rows(width: width - column - 1) { VisibleText.line(String($0)) }
        picture.write(line.rows[line.cursor.row], row: 0, column: column)
        picture.cursor = Picture.Position(row: 0, column: column + line.cursor.column)
        let about = shownNotice?.text ?? VisibleText.line(say(search.state))
        picture.write(DisplayWidth.cut(about, to: width), shownNotice?.style ?? .faint, row: 1, column: 0)
        guard search.isAnswered, let hits = search.reply?.hits else { return }
        let first = max(0, min(search.chosen - hitsPerPage / 2, hits.count - hitsPerPage))
        for (index, hit) in hits[first...].prefix(hitsPerPage).enumerated() {
            let row = Self.hitsTop + index * Self.rowsPerHit
            draw(hit, isChosen: first + index == search.chosen, row, &picture)
        }
        if let unsearched = search.reply?.unsearched {
            let hint = say("Not everything was searched: \(unsearched) entries are still to be taken into the index.")
            picture.write(DisplayWidth.cut(hint, to: width), .warning, row: height - 1, column: 0)
        }
    }

    private func draw(_ hit: SearchHit, isChosen: Bool, _ row: Int, _ picture: inout Picture) {
        let sender = hit.sender.me == true ? say("You") : NameText.marked(hit.sender.displayName, hit.sender.trust)
        let place = hit.kind == .group || hit.sender.me == true ? NameText.plain(hit.title) + ", " : ""
        let head = VisibleText.line("\(place)\(sender), \(clock.short(hit.time))")
        let blank = String(repeating: " ", count: width)
        if isChosen { picture.write(blank, .selected, row: row, column: 0) }
        picture.write(DisplayWidth.cut(head, to: width), isChosen ? .selected : .name, row: row, column: 0)
        picture.write(ExcerptText.line(hit.excerpt, width: width - 2), row: row + 1, column: 2)
    }
}
