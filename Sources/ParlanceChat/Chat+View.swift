import ParlanceControl
package import ParlanceTerminal
import ParlanceTexts
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
        if search.isOpen {
            search.draw(&picture, notice: shownNotice, clock: clock)
            return picture
        }
        if assistant.isOpen {
            assistantLayout.draw(&picture, notice: shownNotice)
            return picture
        }
        if let sheet {
            draw(sheet, &picture)
            return picture
        }
        if isNarrow, list.isFocused {
            drawList(&picture, width: width, height: height - problemRow.count)
            picture.write(problemRow, row: height - 1, column: 0)
            return picture
        }
        if !isNarrow {
            drawList(&picture, width: listWidth, height: barRow)
            drawFrame(&picture)
        }
        drawHeader(&picture)
        drawHistory(&picture)
        if let notice = shownNotice {
            for (index, row) in noticeRows.enumerated() {
                picture.write(row, notice.style, row: newsRow + index, column: paneColumn)
            }
        } else {
            picture.write(problemRow, row: newsRow, column: paneColumn)
            picture.write(news, row: newsRow + newsHeight - 1, column: paneColumn)
        }
        drawInput(&picture)
        return picture
    }

    private func drawList(_ picture: inout Picture, width: Int, height: Int) {
        list.draw(
            &picture,
            width: width,
            height: height,
            open: open?.who,
            isConnected: isConnected,
            glyphs: glyphs
        )
    }

    private var newsRow: Int { 1 + historyHeight }
    /// The line above the input.
    private var barRow: Int { newsRow + newsHeight }

    /// The lines between list and conversation, and above the input.
    private func drawFrame(_ picture: inout Picture) {
        let bar = paneColumn - 2
        for row in 0..<height { picture.write(glyphs.vertical, .faint, row: row, column: bar) }
        drawLine(&picture)
        picture.write(glyphs.crossing, .faint, row: barRow, column: bar)
        let (text, style) = connection
        picture.write(" " + text, style, row: barRow + 1, column: 0, end: bar)
    }

    private func drawLine(_ picture: inout Picture) {
        picture.write(String(repeating: glyphs.horizontal, count: width), .faint, row: barRow, column: 0)
    }

    private var connection: (String, Style) {
        isConnected ? (say("\(list.connected) connected"), .faint) : (noDaemon, .warning)
    }

    private var noDaemon: String { silentSince == nil ? say("no daemon") : say("daemon hangs") }

    // MARK: - The conversation

    private func drawHeader(_ picture: inout Picture) {
        guard let open else { return }
        let title = open.info.map { NameText.marked($0.title, $0.trust) } ?? list.entry(open.who)?.title ?? open.who
        let end = picture.write(VisibleText.line(title), .strong, row: 0, column: paneColumn)
        var about = VisibleText.line(self.about(open))
        if !isConnected { about = isNarrow ? connection.0 : "" }
        if isNarrow, newElsewhere > 0 { about = say("\(newElsewhere) new elsewhere (F2)") }
        let room = width - end - 2
        guard room > 3, !about.isEmpty else { return }
        about = DisplayWidth.cut(about, to: room)
        picture.write(about, isConnected ? .faint : .warning, row: 0, column: width - DisplayWidth.of(about))
    }

    /// What is unread in other conversations, which a narrow window does not show.
    private var newElsewhere: Int {
        list.conversations.reduce(0) { $1.id == open?.info?.id || $1.muted == true ? $0 : $0 + $1.unread }
    }

    /// Who is here, and how long messages stay.
    func about(_ open: OpenConversation) -> String {
        [present(in: open), DisappearText.words(open.info?.disappear) ?? ""].filter { !$0.isEmpty }
            .joined(separator: ", ")
    }

    /// Who is in a group, and how many of them are here; the presence of a person.
    private func present(in open: OpenConversation) -> String {
        if open.info?.isMember == false { return "" }
        if let members = open.group?.members {
            let others = members.filter { $0.me != true }
            if others.isEmpty { return say("You are the only member.") }
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
        guard let open, !history.rows.isEmpty else {
            let lines = (emptyText + emptyHints).flatMap { WordWrap.lines(VisibleText.line($0), width: paneWidth) }
            for (index, line) in lines.prefix(historyHeight).enumerated() {
                picture.write(line, .faint, row: 1 + index, column: paneColumn)
            }
            return
        }
        let room = history.draw(&picture, row: 1, column: paneColumn)
        if open.hasMore, history.shown.lowerBound == 0, room > 0 {
            picture.write(say("PgUp shows older messages."), .faint, row: 1, column: paneColumn)
        }
    }

    /// What stands where there are no messages.
    var emptyText: [String] {
        guard let open else {
            if !isConnected { return [say("Waiting for the daemon; Ctrl-C ends this.")] }
            return welcome
        }
        if let failure = open.failure { return [say(failure), say("Enter tries again.")] }
        guard let info = open.info else { return [isConnected ? say("Reading…") : noDaemon] }
        return [state(info) ?? say("No messages yet. Say hi to \(NameText.marked(info.title, info.trust)).")]
    }

    /// What can be done in a conversation without messages.
    private var emptyHints: [String] {
        guard let open, open.failure == nil, let info = open.info, state(info) == nil else { return [] }
        let isStranger = info.kind == .direct && info.trust == .unknown
        return [
            isStranger
                ? say("Type, and press Enter. Your first message asks whether they want to talk.")
                : say("Type, and press Enter."),
            say("For somebody else: Tab or F2 goes to the list; Up, Down and Enter choose."),
            say("? on an empty line shows all keys and commands."),
        ]
    }

    /// The text shown while no conversation is open: who is here, and how to write to them.
    private var welcome: [String] {
        let keys = say("? on an empty line shows all keys and commands.")
        guard let first = list.entries.first else { return whoIsAround + [keys] }
        return whoIsAround + [
            nearby.first == first
                ? say(
                    """
                    To write to \(first.title): Alt-1, then type and press Enter. Your first message asks whether they \
                    want to talk.
                    """
                )
                : say("To open the conversation with \(first.title): Alt-1, then type and press Enter."),
            say("For somebody else: Tab or F2 goes to the list; Up, Down and Enter choose."), keys,
        ]
    }

    private var nearby: [ListEntry] {
        list.entries.filter { if case .nearby = $0 { true } else { false } }
    }

    /// Who is nearby, or why nobody is.
    var whoIsAround: [String] {
        guard list.entries.isEmpty else {
            return nearby.isEmpty ? [] : [say("Nearby: \(PeopleText.list(nearby.map(\.title))).")]
        }
        let why = list.problem.map { [say("Nobody is here yet."), say($0.message), say($0.advice)] }
        return (why ?? [say("Nobody is here yet. 'parlance doctor' says why nobody is found.")])
            + [say("Whoever comes appears in the list by itself.")]
    }

    /// What has to be known of a conversation besides its messages.
    func state(_ info: ConversationInfo) -> String? {
        let title = NameText.marked(info.title, info.trust)
        if info.isMember == false {
            return info.ended.map {
                say(
                    "You are not a member of \(title) any more: \(VisibleText.line(say($0.sentence))), \(clock.short($0.time))."
                )
            } ?? say("You are not a member of \(title) any more.")
        }
        let request = list.requests.first { $0.peer == info.peer }
        let warning = (request?.warning ?? info.warning).map { say("Warning: \($0). Tell them apart: parlance alias") }
        switch info.contact {
        case .open: return warning
        case .waiting: return warning ?? say("Waits until \(title) accepts.")
        case .blocked: return say("\(title) is blocked.")
        case .requested:
            let preview = (request?.preview ?? info.preview).map { " (\($0))" } ?? ""
            let asks = say("\(title) asks to talk\(preview). Say yes with /accept, or no with /decline.")
            return (warning.map { $0 + " " } ?? "") + asks
        }
    }

    /// The row that says what keeps the node from others, in the words of `doctor`; empty if nothing does that somebody must
    /// act on, or if it is said in place of the messages.
    var problemRow: [StyledText] {
        guard isConnected, height >= Self.problemHeight, let problem = list.problem, problem.severity == .problem,
            !(open == nil && list.entries.isEmpty)
        else { return [] }
        let tail = CommandOptions.added(toCommand: "parlance doctor")
        let room = paneWidth - 2 - DisplayWidth.of(tail)
        let text = DisplayWidth.cut(VisibleText.line(say(problem.message)), to: max(1, room))
        return [StyledText(text, .warning)] + (room > 20 ? [StyledText("  " + tail, .faint)] : [])
    }

    /// The least rows of a screen on which a problem has a row.
    private static let problemHeight = 10

    /// What the row below the history says while there is no notice: what the line is for, who types.
    private var news: [StyledText] {
        let room = paneWidth
        func cut(_ text: String, _ style: Style) -> [StyledText] {
            [StyledText(DisplayWidth.cut(VisibleText.line(text), to: room), style)]
        }
        switch composer.draft.aim {
        case .answer(let id): return cut(say("Answer to \(summary(id)) (Esc: do not answer)"), .name)
        case .edit: return cut(say("Edit your message (Esc: leave it as it is)"), .name)
        case .reaction(let id):
            return cut(say("An emoji or its name (Tab completes) as a reaction to \(summary(id))"), .name)
        case .deletion(let id): return cut(say("Delete \(summary(id))? y deletes it."), .warning)
        case .message: break
        }
        if let target = composer.draft.target { return cut(say("About \(summary(target))"), .name) }
        if list.isFocused { return cut(say("Up, Down: choose; Enter: open; Esc: back"), .name) }
        if history.selected != nil, composer.draft.editor.isEmpty {
            let keys = say("r answer, e edit, d delete, + react, i details, Esc back")
            return cut(
                history.isSelectionCut ? say("o shows all of it; PgUp, PgDn: read it") + "; " + keys : keys,
                .name
            )
        }
        let isMore = open?.hasNewAbove == true && open?.isBehind == false
        let newAbove = history.newAbove(in: open)
        let above = isMore ? max(newAbove, open?.info?.unread ?? 0) : newAbove
        if above > 0 {
            return cut(say("\(glyphs.above) \(above) new above (Alt-N goes there, /read marks all)"), .warning)
        }
        if let typing = open?.typing, !typing.isEmpty {
            let names = PeopleText.list(typing.map(\.name))
            return cut(typing.count == 1 ? say("\(names) is typing…") : say("\(names) are typing…"), .faint)
        }
        if history.scroll > 0 || open?.isBehind == true {
            return cut(say("\(glyphs.more) more below (Esc goes to the end)"), .faint)
        }
        if !history.rows.isEmpty, let text = open?.info.flatMap(state) { return cut(text, .warning) }
        return [StyledText(hint, .faint)]
    }

    /// The keys that somebody may look for now, as many as fit.
    private var hint: String {
        let word = composer.draft.editor.beforeCursor.split(omittingEmptySubsequences: false) {
            $0 == " " || $0 == "\n"
        }.last
        if let word, let sign = word.first, "@:/".contains(sign) {
            return DisplayWidth.cut(say("Tab completes"), to: paneWidth)
        }
        guard composer.draft.editor.isEmpty else { return "" }
        let keys = [say("? help"), say("Tab or F2 list"), say("Ctrl-F search"), say("Up select")]
        return keys.reduce("") { line, key in
            let longer = line.isEmpty ? key : line + "  " + key
            return DisplayWidth.of(longer) <= paneWidth ? longer : line
        }
    }

    private func summary(_ id: String) -> String {
        open?.message(id).map { MessageSummary.line($0, withSender: true) } ?? ""
    }

    // MARK: - The line

    private func drawInput(_ picture: inout Picture) {
        if isNarrow { drawLine(&picture) }
        let (rows, cursor) = (composer.rows, composer.cursor)
        // The rows around the cursor, if not all have room.
        let first = max(0, min(cursor.row - inputHeight + 1, rows.count - inputHeight))
        let top = barRow + 1
        let indent = paneColumn + DisplayWidth.of(Self.prompt)
        picture.write(Self.prompt, .faint, row: top, column: paneColumn)
        for (index, row) in rows[first...].prefix(inputHeight).enumerated() {
            picture.write(row, row: top + index, column: indent)
        }
        picture.cursor = Picture.Position(row: top + cursor.row - first, column: indent + cursor.column)
    }

    // MARK: - Sheets

    private func draw(_ sheet: Sheet, _ picture: inout Picture) {
        let lines = sheet.lines(width: width, clock: clock)
        let top = max(0, min(sheet.top, lines.count - height))
        for (row, line) in lines[top...].prefix(height).enumerated() { picture.write(line, row: row, column: 0) }
        let isCut = top + height < lines.count
        guard isCut || top > 0 else { return }
        let hint = isCut ? say("Down: more; Esc: back") : say("Up: more; Esc: back")
        let column = max(0, width - DisplayWidth.of(hint) - 1)
        picture.write(" " + hint, .selected, row: height - 1, column: column)
    }
}
