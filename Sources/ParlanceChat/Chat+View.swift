import ParlanceControl
package import ParlanceTerminal
import ParlanceWords

// What the screen shows.
extension Chat {
    /// The picture for a terminal, as `settle` laid it out.
    package func view() -> Picture {
        var picture = Picture(height: height, width: width)
        guard !isTooSmall else {
            picture.write(say("The window is too small."), row: 0, column: 0)
            return picture
        }
        if isHelpShown {
            draw(help: &picture)
            return picture
        }
        if isNarrow, isListFocused {
            drawList(&picture, width: width, height: height)
            return picture
        }
        if !isNarrow {
            drawList(&picture, width: listWidth, height: height - 2 - inputHeight + 1)
            drawFrame(&picture)
        }
        drawHeader(&picture)
        drawHistory(&picture)
        picture.write(news, row: newsRow, column: paneColumn)
        drawInput(&picture)
        return picture
    }

    private var newsRow: Int { 1 + historyHeight }

    /// The lines between list and conversation, and above the input.
    private func drawFrame(_ picture: inout Picture) {
        let bar = paneColumn - 2
        for row in 0..<height { picture.write(glyphs.vertical, .faint, row: row, column: bar) }
        drawLine(&picture)
        picture.write(glyphs.crossing, .faint, row: newsRow + 1, column: bar)
        let (text, style) = connection
        picture.write(" " + text, style, row: newsRow + 2, column: 0, end: bar)
    }

    private func drawLine(_ picture: inout Picture) {
        picture.write(String(repeating: glyphs.horizontal, count: width), .faint, row: newsRow + 1, column: 0)
    }

    private var connection: (String, Style) {
        isConnected ? (say("\(list.connected) connected"), .faint) : (say("no daemon"), .warning)
    }

    // MARK: - The list

    private func drawList(_ picture: inout Picture, width: Int, height: Int) {
        let entries = list.entries
        var lines: [(place: Int?, text: [StyledText], right: [StyledText])] = []
        for (place, entry) in entries.enumerated() {
            if let title = header(above: place, entries) { lines.append((nil, [StyledText(title, .faint)], [])) }
            let (name, right) = line(entry)
            let room = max(1, width - 1 - right.width - (right.isEmpty ? 0 : 1))
            lines.append((place, [StyledText(DisplayWidth.cut(name.text, to: room), name.style)], right))
        }
        let chosen = isListFocused ? listPlace : entries.firstIndex { $0.who == open?.who }
        let row = lines.firstIndex { $0.place == chosen && chosen != nil } ?? 0
        let first = max(0, min(row - height / 2, lines.count - height))
        for (index, line) in lines[first...].prefix(height).enumerated() {
            let isChosen = line.place != nil && line.place == chosen
            let (text, right) =
                isChosen ? (line.text.styled(.selected), line.right.styled(.selected)) : (line.text, line.right)
            if isChosen {
                picture.write(String(repeating: " ", count: width), .selected, row: index, column: 0, end: width)
            }
            picture.write(text, row: index, column: 1, end: width)
            picture.write(right, row: index, column: max(0, width - line.right.width), end: width)
        }
        if entries.isEmpty { picture.write(say("Nobody yet"), .faint, row: 0, column: 1, end: width) }
    }

    /// The title above the first of its kind.
    private func header(above place: Int, _ entries: [ListEntry]) -> String? {
        func kind(_ entry: ListEntry) -> String? {
            switch entry {
            case .conversation: nil
            case .request: say("Ask to talk")
            case .nearby: say("Nearby")
            }
        }
        let own = kind(entries[place])
        return place > 0 && kind(entries[place - 1]) == own ? nil : own
    }

    private func line(_ entry: ListEntry) -> (StyledText, [StyledText]) {
        guard case .conversation(let info) = entry else { return (StyledText(" " + entry.title), []) }
        let isLoud = info.unread > 0 && info.muted != true
        var right: [StyledText] = []
        if info.unread > 0 {
            let count = info.mentions > 0 ? "@\(info.unread)" : "\(info.unread)"
            right.append(StyledText(count + " ", isLoud ? .warning : .faint))
        }
        right.append(info.presence.map { StyledText(glyphs.presence($0), style($0)) } ?? StyledText(" "))
        return (StyledText(entry.title, isLoud ? .strong : .plain), right)
    }

    private func style(_ presence: PresenceState) -> Style {
        switch presence {
        case .online: .good
        case .away: .warning
        case .busy: .bad
        case .offline: .faint
        }
    }

    // MARK: - The conversation

    private func drawHeader(_ picture: inout Picture) {
        guard let open else { return }
        let title = open.info.map { NameText.marked($0.title, $0.trust) } ?? list.entry(open.who)?.title ?? open.who
        let end = picture.write(VisibleText.line(title), .strong, row: 0, column: paneColumn)
        var about = VisibleText.line(self.about(open))
        if isNarrow, !isConnected { about = connection.0 }
        let room = width - end - 2
        guard room > 3, !about.isEmpty else { return }
        about = DisplayWidth.cut(about, to: room)
        picture.write(about, isConnected ? .faint : .warning, row: 0, column: width - DisplayWidth.of(about))
    }

    /// Who is in a group, and how many of them are here; the presence of a person.
    private func about(_ open: OpenConversation) -> String {
        if let members = open.group?.members {
            let others = members.filter { $0.me != true }
            let here = others.count { $0.presence != .offline }
            let names = PeopleText.list(others.map(\.person))
            return say("\(names): \(here) of \(others.count) here")
        }
        let peer = list.people.first { $0.id == open.who }
        guard let presence = peer?.presence ?? open.info?.presence else { return "" }
        let seen = presence == .offline ? peer?.lastSeen.map { say("last here \(clock.short($0))") } : nil
        let more = peer?.statusText ?? seen
        return say(presence.words) + (more.map { ", \($0)" } ?? "")
    }

    private func drawHistory(_ picture: inout Picture) {
        guard let open, !rows.isEmpty else {
            let lines = emptyText.flatMap { WordWrap.lines(VisibleText.line($0), width: paneWidth) }
            for (index, line) in lines.prefix(historyHeight).enumerated() {
                picture.write(line, .faint, row: 1 + index, column: paneColumn)
            }
            return
        }
        let shown = rows[shownRows]
        // A short history stands at the bottom, where the next message comes.
        let top = 1 + historyHeight - shown.count
        for (index, row) in shown.enumerated() {
            let isSelected = row.message != nil && row.message == selected
            if isSelected {
                let blank = String(repeating: " ", count: paneWidth)
                picture.write(blank, .selected, row: top + index, column: paneColumn)
            }
            let pieces = isSelected ? row.pieces.styled(.selected) : row.pieces
            picture.write(pieces, row: top + index, column: paneColumn)
            guard let right = row.right else { continue }
            let column = width - DisplayWidth.of(right.text)
            picture.write(right.text, isSelected ? .selected : right.style, row: top + index, column: column)
        }
        if open.hasMore, shownRows.lowerBound == 0, top > 1 {
            picture.write(say("PgUp shows older messages."), .faint, row: 1, column: paneColumn)
        }
    }

    /// What stands where there are no messages.
    private var emptyText: [String] {
        guard let open else {
            if !isConnected { return [say("Waiting for the daemon; Ctrl-C ends this.")] }
            return list.entries.isEmpty
                ? [say("Nobody is here yet. 'parlance doctor' says why nobody is found.")] : []
        }
        guard let info = open.info else { return [isConnected ? say("Reading…") : say("no daemon")] }
        return [state(info) ?? say("No messages yet. Say hi to \(NameText.marked(info.title, info.trust)).")]
    }

    /// What has to be known of a conversation besides its messages.
    private func state(_ info: ConversationInfo) -> String? {
        let title = NameText.marked(info.title, info.trust)
        if info.isMember == false { return say("You are not a member of \(title) any more.") }
        switch info.contact {
        case .open: return nil
        case .waiting: return say("Waits until \(title) accepts.")
        case .blocked: return say("\(title) is blocked.")
        case .requested:
            let request = list.requests.first { $0.peer == info.peer }
            let preview = (request?.preview ?? info.preview).map { " (\($0))" } ?? ""
            return say("\(title) asks to talk\(preview). Say yes with /accept, or no with /decline.")
        }
    }

    /// What the row below the history says: an answer of the daemon, what the line is for, who types.
    private var news: [StyledText] {
        let room = paneWidth
        func cut(_ text: String, _ style: Style) -> [StyledText] {
            [StyledText(DisplayWidth.cut(VisibleText.line(text), to: room), style)]
        }
        if let notice { return cut(notice.text, notice.style) }
        switch purpose {
        case .answer(let id): return cut(say("Answer to \(summary(id)) (Esc: do not answer)"), .name)
        case .edit: return cut(say("Edit your message (Esc: leave it as it is)"), .name)
        case .reaction(let id): return cut(say("React to \(summary(id)): an emoji or its name; Tab shows names"), .name)
        case .deletion(let id): return cut(say("Delete \(summary(id))? y deletes it."), .warning)
        case .message: break
        }
        if selected != nil { return cut(say("r answer, e edit, d delete, + react, Esc back"), .name) }
        if let typing = open?.typing, !typing.isEmpty {
            let names = PeopleText.list(typing.map(\.name))
            return cut(typing.count == 1 ? say("\(names) is typing…") : say("\(names) are typing…"), .faint)
        }
        if scroll > 0 { return cut(say("\(glyphs.more) more below (Esc goes to the end)"), .faint) }
        guard !rows.isEmpty, let text = open?.info.flatMap(state) else { return [] }
        return cut(text, .warning)
    }

    private func summary(_ id: String) -> String {
        open?.message(id).map { MessageSummary.line($0, withSender: true) } ?? ""
    }

    // MARK: - The line

    private func drawInput(_ picture: inout Picture) {
        if isNarrow { drawLine(&picture) }
        let (rows, cursor) = inputRows
        // The rows around the cursor, if not all have room.
        let first = max(0, min(cursor.row - inputHeight + 1, rows.count - inputHeight))
        let top = newsRow + 2
        let indent = paneColumn + DisplayWidth.of(prompt)
        picture.write(prompt, .faint, row: top, column: paneColumn)
        for (index, row) in rows[first...].prefix(inputHeight).enumerated() {
            picture.write(VisibleText.line(row), row: top + index, column: indent)
        }
        picture.cursor = Picture.Position(row: top + cursor.row - first, column: indent + cursor.column)
    }

    // MARK: - Help

    private func draw(help picture: inout Picture) {
        let lines = HelpText.lines(width: width)
        for (row, line) in lines.prefix(height).enumerated() { picture.write(line, row: row, column: 0) }
    }
}
