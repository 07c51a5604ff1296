/// A page of a conversation as lines for a terminal: days with headers, newest last.
package struct HistoryText {
    private let page: HistoryReply
    private let who: String
    private let clock: LocalClock
    private let style: TextStyle

    /// `who` is how the user called the peer, for the command that shows older messages.
    package init(page: HistoryReply, who: String, clock: LocalClock, style: TextStyle) {
        self.page = page
        self.who = who
        self.clock = clock
        self.style = style
    }

    package var lines: [String] {
        guard let oldest = page.messages.first else { return empty }
        var lines: [String] = []
        if page.more {
            let command = "parlance history \(Self.quoted(who)) --before \(VisibleText.line(oldest.id))"
            lines.append(style(.faint, "Older messages: \(command)"))
        }
        let width = page.messages.reduce(0) { max($0, DisplayWidth.of(name($1))) }
        var day: Int64?
        for message in page.messages {
            if clock.day(message.time) != day {
                day = clock.day(message.time)
                lines.append(style(.strong, clock.dayName(message.time)))
            }
            lines += Self.lines(message, nameWidth: min(width, 24), clock: clock, style: style)
        }
        if let note { lines.append(style(.warning, note)) }
        return lines
    }

    private var empty: [String] {
        let title = VisibleText.line(page.conversation.title)
        if let note { return [note] }
        return ["No messages with \(title) yet. Write the first: parlance send \(Self.quoted(who)) Hello"]
    }

    private var note: String? {
        let title = VisibleText.line(page.conversation.title)
        switch page.conversation.contact {
        case .open: return nil
        case .requested:
            let preview = page.conversation.preview.map { ": \(VisibleText.line($0))" } ?? ""
            return "\(title) asks to talk\(preview). Say yes with: parlance accept \(Self.quoted(who))"
        case .waiting: return "Waits until \(title) accepts."
        case .blocked: return "\(title) is blocked."
        }
    }

    private func name(_ message: MessageInfo) -> String {
        Self.name(message)
    }

    private static func name(_ message: MessageInfo) -> String {
        message.mine ? "You" : VisibleText.line(message.senderName)
    }

    /// One message: time, sender, text (further lines of it indented), and for an own one its status.
    package static func lines(
        _ message: MessageInfo,
        nameWidth: Int,
        clock: LocalClock,
        style: TextStyle
    ) -> [String] {
        let name = DisplayWidth.pad(DisplayWidth.cut(name(message), to: max(1, nameWidth)), to: nameWidth)
        let head =
            "\(style(.faint, clock.hourAndMinute(message.time)))  \(style(message.mine ? .plain : .name, name))  "
        let indent = String(repeating: " ", count: 5 + 2 + nameWidth + 2)
        var lines = VisibleText.lines(message.text)
        if let status = message.status {
            let why = message.waitingReason.map { ": \(VisibleText.line($0))" } ?? ""
            lines[lines.count - 1] += "  " + style(role(status), "[\(status.rawValue)\(why)]")
        }
        return lines.enumerated().map { $0 == 0 ? head + $1 : indent + $1 }
    }

    private static func role(_ status: MessageStatus) -> TextStyle.Role {
        switch status {
        case .staged, .sending: .warning
        case .sent, .delivered: .faint
        case .read: .good
        case .failed: .bad
        }
    }

    /// A word as a shell takes it.
    private static func quoted(_ word: String) -> String {
        let plain = word.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte >= 0x80
        }
        let visible = VisibleText.line(word)
        if plain { return visible }
        return "'" + visible.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
