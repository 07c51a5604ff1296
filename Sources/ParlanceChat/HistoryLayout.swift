import ParlanceControl
import ParlanceTerminal
import ParlanceTexts
import ParlanceWords

/// Lays messages out in rows of a width: days with headers, names, wrapped texts, statuses.
struct HistoryLayout {
    let width: Int
    let clock: LocalClock
    let glyphs: Glyphs
    /// The messages of which all rows are shown.
    var whole: Set<String> = []

    /// Messages of one author within so many milliseconds stand together, under one name.
    private static let together: Int64 = 300_000
    private static let timeWidth = 6
    /// What says that there is more.
    private static let more = Style.warning
    private static let mostNameWidth = 14

    /// Rows of one message at most, unless it was opened: somebody could write a message that fills hundreds of screens.
    private static let mostRows = 100

    /// - Parameter cache: the rows as they were the last time; those of messages that are as they were are taken from it.
    func rows(of conversation: OpenConversation, _ cache: inout RowCache) -> [HistoryRow] {
        let messages = conversation.messages
        var rows: [HistoryRow] = []
        let names = nameWidth(messages)
        cache.begin(width: width, names: names)
        let statuses = statuses(messages)
        var before: MessageInfo?
        for (index, message) in messages.enumerated() {
            let isNewDay = before.map { clock.day($0.time) != clock.day(message.time) } ?? true
            if isNewDay { rows.append(header(clock.dayName(message.time), .faint)) }
            if message.id == conversation.firstNew { rows.append(header(say("New"), .warning)) }
            let follows =
                !isNewDay && message.id != conversation.firstNew && before.map { isTogether($0, message) } ?? false
            let face = RowCache.Face(
                message: message,
                status: statuses[index],
                follows: follows,
                isWhole: whole.contains(message.id)
            )
            rows += cache.rows(face) { self.rows(message, status: statuses[index], names: names, follows: follows) }
            before = message
        }
        cache.end()
        return rows
    }

    /// A text in the middle of a line.
    private func header(_ text: String, _ style: Style) -> HistoryRow {
        let room = max(0, width - DisplayWidth.of(text) - 2)
        let left = String(repeating: glyphs.horizontal, count: room / 2)
        let right = String(repeating: glyphs.horizontal, count: room - room / 2)
        return HistoryRow(pieces: [StyledText("\(left) \(text) \(right)", style)])
    }

    private func isTogether(_ first: MessageInfo, _ second: MessageInfo) -> Bool {
        first.sender == second.sender && first.note == nil && second.note == nil && second.answers == nil
            && (0...Self.together).contains(second.time.milliseconds - first.time.milliseconds)
    }

    private func name(_ message: MessageInfo) -> String {
        message.mine ? say("You") : VisibleText.line(message.shownSender)
    }

    private func nameWidth(_ messages: [MessageInfo]) -> Int {
        let widest = messages.reduce(0) { $1.note == nil ? max($0, DisplayWidth.of(name($1))) : $0 }
        return min(widest, Self.mostNameWidth, max(3, width / 5))
    }

    /// The status of each of your messages, unless the message behind it is yours too and has the same.
    private func statuses(_ messages: [MessageInfo]) -> [StyledText?] {
        var next: String?
        return messages.reversed().map { message -> StyledText? in
            guard message.mine, message.note == nil, let status = message.status,
                let words = StatusText.words(message).map(say)
            else {
                next = nil
                return nil
            }
            defer { next = words }
            return words == next ? nil : StyledText(VisibleText.line(words), Style(status))
        }.reversed()
    }

    private func rows(_ message: MessageInfo, status: StyledText?, names: Int, follows: Bool) -> [HistoryRow] {
        let time = StyledText(follows ? "      " : clock.hourAndMinute(message.time) + " ", .faint)
        if let note = NoteText.sentence(message) {
            let lines = WordWrap.lines("* " + VisibleText.line(note), width: max(8, width - Self.timeWidth))
            return lines.enumerated().map { index, line in
                let start = index == 0 ? time : StyledText("      ")
                return HistoryRow(pieces: [start, StyledText(line, .faint)], message: message.id)
            }
        }
        let indent = Self.timeWidth + names + 2
        let room = max(8, width - indent)
        let shown = follows ? "" : DisplayWidth.cut(name(message), to: max(1, names))
        let head = [time, StyledText(DisplayWidth.pad(shown, to: names + 2), message.mine ? .strong : .name)]
        let blank = [StyledText(String(repeating: " ", count: indent))]
        var rows = body(message, room).enumerated().map { index, line in
            HistoryRow(
                pieces: (index == 0 ? head : blank) + line,
                message: message.id,
                isCut: line.first?.style == Self.more
            )
        }
        place(status, in: &rows, blank, room)
        if let reactions = message.reactions, !reactions.isEmpty {
            for line in WordWrap.lines(VisibleText.line(MessageSummary.reactions(reactions)), width: room) {
                rows.append(HistoryRow(pieces: blank + [StyledText(line, .faint)], message: message.id))
            }
        }
        return rows
    }

    /// Sets the status at the right end of the last row, or below it where there is no room.
    private func place(_ status: StyledText?, in rows: inout [HistoryRow], _ blank: [StyledText], _ room: Int) {
        guard let status, let last = rows.last else { return }
        if last.pieces.width + 2 + DisplayWidth.of(status.text) <= width {
            rows[rows.count - 1].right = status
            return
        }
        for line in WordWrap.lines(status.text, width: room) {
            rows.append(HistoryRow(pieces: blank, right: StyledText(line, status.style), message: last.message))
        }
    }

    /// The lines of a message: the quoted message, the text, and its status.
    private func body(_ message: MessageInfo, _ room: Int) -> [[StyledText]] {
        if message.blocked == true {
            return [[StyledText(DisplayWidth.cut(say("(a message of \(name(message)))"), to: room), .faint)]]
        }
        var lines: [[StyledText]] = []
        if let answers = message.answers {
            let quote = glyphs.answer + VisibleText.line(MessageSummary.quote(answers))
            lines.append([StyledText(DisplayWidth.cut(quote, to: room), .faint)])
        }
        if let deletion = message.deleted {
            let text = VisibleText.line(MessageSummary.deleted(deletion))
            return lines + WordWrap.lines(text, width: room).map { [StyledText($0, .faint)] }
        }
        let style: Style = message.mentionsMe == true ? .strong : .plain
        let files = message.files ?? []
        let texts = message.text.isEmpty && !files.isEmpty ? [] : VisibleText.lines(message.text)
        let most = whole.contains(message.id) ? Int.max : Self.mostRows
        for (index, text) in texts.enumerated() {
            let wrapped = WordWrap.lines(text, width: room)
            lines += wrapped.prefix(max(1, most - lines.count)).map { [StyledText($0, style)] }
            guard lines.count >= most, wrapped.count > 1 || index + 1 < texts.count else { continue }
            let left = texts.count - index - 1
            let more =
                left > 0
                ? say("… \(left) more lines. Up selects the message, then o shows all of it.")
                : say("… more. Up selects the message, then o shows all of it.")
            lines += WordWrap.lines(more, width: room).map { [StyledText($0, Self.more)] }
            break
        }
        for file in files {
            let line = VisibleText.line(FileText.line(file, mine: message.mine, inChat: true))
            lines += WordWrap.lines(line, width: room).map { [StyledText($0, .strong)] }
        }
        for remark in remarks(message) {
            let last = lines.last ?? []
            if last.width + 1 + DisplayWidth.of(remark) <= room, !lines.isEmpty {
                lines[lines.count - 1].append(StyledText(" " + remark, .faint))
            } else {
                lines.append([StyledText(remark, .faint)])
            }
        }
        return lines
    }

    private func remarks(_ message: MessageInfo) -> [String] {
        [
            message.versions == nil ? nil : say("(edited)"),
            message.waits == true ? say("(waits for an earlier message)") : nil,
        ].compactMap { $0 }
    }
}
