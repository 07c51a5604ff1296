import ParlanceControl
import ParlanceTerminal
import ParlanceTexts
import ParlanceWords

/// Lays the assistant's pane out on a screen: the answers, the prompts and the line.
struct AssistantLayout {
    let assistant: AssistantPane
    let height: Int
    let width: Int
    let clock: LocalClock

    /// A row of the answers, and the message that it belongs to.
    private struct Row {
        var pieces: [StyledText]
        var choice: AssistantPane.Choice?
    }

    /// Rows besides answers and prompts: the title, what is said, and the line.
    private static let otherRows = 3

    /// Rows of the answers.
    private var room: Int { max(1, height - Self.otherRows - promptPlaces.rows) }

    /// How many rows are below the bottom edge, so many pages further up.
    func scroll(byPages pages: Int) -> Int { max(0, min(rows.count - room, assistant.scroll + pages * room)) }

    func draw(_ picture: inout Picture, notice: Notices.Notice?) {
        let title = DisplayWidth.cut(say("Assistant: \(VisibleText.line(assistant.title))"), to: width)
        picture.write(title, .strong, row: 0, column: 0)
        drawAnswers(&picture)
        let places = promptPlaces
        let top = 1 + room
        for (prompt, row, column) in places.prompts {
            let style: Style = assistant.choice == .prompt(prompt) ? .selected : .name
            picture.write(Self.words(prompt), style, row: top + row, column: column)
        }
        let said = notice?.text ?? VisibleText.line(say(state))
        picture.write(DisplayWidth.cut(said, to: width), notice?.style ?? .faint, row: height - 2, column: 0)
        let column = DisplayWidth.of(Chat.prompt)
        picture.write(Chat.prompt, .faint, row: height - 1, column: 0)
        let line = assistant.editor.rows(width: max(1, width - column - 1)) { VisibleText.line(String($0)) }
        picture.write(line.rows[line.cursor.row], row: height - 1, column: column)
        picture.cursor = Picture.Position(row: height - 1, column: column + line.cursor.column)
    }

    private func drawAnswers(_ picture: inout Picture) {
        let (rows, room) = (rows, room)
        var first = max(0, rows.count - room - assistant.scroll)
        if let choice = assistant.choice, let row = rows.firstIndex(where: { $0.choice == choice }) {
            // What is chosen is in sight.
            first = max(0, min(max(first, row - room + 2), row))
        }
        for (index, row) in rows[first...].prefix(room).enumerated() {
            let isChosen = row.choice != nil && row.choice == assistant.choice
            let blank = String(repeating: " ", count: width)
            if isChosen { picture.write(blank, .selected, row: 1 + index, column: 0) }
            picture.write(isChosen ? row.pieces.styled(.selected) : row.pieces, row: 1 + index, column: 0)
        }
    }

    /// What is said below the answers: what to do, or what is under way.
    private var state: Phrase {
        if let asked = assistant.asked {
            if asked.isCancelled { return Phrase("Cancelling…") }
            return asked.label == nil ? Phrase("Looking…") : Phrase("The answer comes. Esc cancels it.")
        }
        if !assistant.failure.isEmpty { return Phrase("Esc: back") }
        if assistant.source != nil { return Phrase("Enter: go there; Esc: back") }
        return Phrase("Enter asks; 1 to 5 or Left, Right: a prompt; Up, Down or Alt-1..9: a message; Esc: back")
    }

    private static func words(_ prompt: AssistantPane.Prompt) -> String {
        "\(prompt.rawValue + 1) \(say(prompt.words))"
    }

    /// Where the prompts stand, as far as they have room.
    private var promptPlaces: (prompts: [(AssistantPane.Prompt, row: Int, column: Int)], rows: Int) {
        guard assistant.failure.isEmpty else { return ([], 0) }
        var places: [(AssistantPane.Prompt, row: Int, column: Int)] = []
        var (row, column) = (0, 0)
        for prompt in AssistantPane.Prompt.allCases {
            let room = DisplayWidth.of(Self.words(prompt))
            if column > 0, column + room > width { (row, column) = (row + 1, 0) }
            // On a small screen the digits still choose the others.
            guard row <= height / 4 else { break }
            places.append((prompt, row, column))
            column += room + 2
        }
        return (places, (places.last?.row ?? -1) + 1)
    }

    private var rows: [Row] {
        var rows: [Row] = []
        func add(_ text: String, _ style: Style = .plain, indent: Int = 0, _ choice: AssistantPane.Choice? = nil) {
            let blank = String(repeating: " ", count: indent)
            for line in WordWrap.lines(text, width: max(1, width - indent)) {
                rows.append(Row(pieces: [StyledText(blank + line, style)], choice: choice))
            }
        }
        for (place, entry) in assistant.entries.enumerated() {
            if place > 0 { rows.append(Row(pieces: [])) }
            add(VisibleText.line(entry.question), .strong)
            for line in entry.answer.map({ VisibleText.lines($0) }) ?? [] { add(line) }
            if let problem = entry.problem { add(VisibleText.line(say(problem)), .warning) }
            if entry.items.isEmpty, entry.answer == nil {
                add(entry.kept != nil ? say("No message answers that.") : say("Nothing found."), .faint)
            }
            for (number, item) in entry.items.enumerated() {
                let choice = AssistantPane.Choice.item(entry: place, number: number)
                add("[\(number + 1)] \(head(item.source))", .faint, choice)
                add(VisibleText.line(item.text), indent: 4, choice)
            }
        }
        if let asked = assistant.asked {
            if !rows.isEmpty { rows.append(Row(pieces: [])) }
            add(VisibleText.line(asked.question), .strong)
            if !asked.text.isEmpty { for line in VisibleText.lines(asked.text) { add(line) } }
        }
        for phrase in assistant.failure { add(VisibleText.line(say(phrase)), .warning) }
        if rows.isEmpty { add(say("Nothing was asked here yet."), .faint) }
        return rows
    }

    private func head(_ source: AssistantSource) -> String {
        let sender =
            source.sender.me == true ? say("You") : NameText.marked(source.sender.displayName, source.sender.trust)
        return VisibleText.line("\(sender), \(clock.short(source.time))")
    }
}
