/// A page of a conversation as lines for a terminal: days with headers, newest last.
package struct HistoryText {
    private let page: HistoryReply
    private let who: String
    private let withIDs: Bool
    private let clock: LocalClock
    private let style: TextStyle

    /// `who` is how the user called the peer, for the command that shows older messages; `withIDs` shows the
    /// beginning of each message's ID.
    package init(page: HistoryReply, who: String, withIDs: Bool = false, clock: LocalClock, style: TextStyle) {
        self.page = page
        self.who = who
        self.withIDs = withIDs
        self.clock = clock
        self.style = style
    }

    package var lines: [String] {
        guard let oldest = page.messages.first else { return empty }
        var lines: [String] = []
        if page.more {
            let ids = withIDs ? " --ids" : ""
            let command = "parlance history \(ShellWord.quoted(who))\(ids) --before \(VisibleText.line(oldest.id))"
            lines.append(style(.faint, "Older messages: \(command)"))
        }
        let width = page.messages.reduce(0) { max($0, DisplayWidth.of(name($1))) }
        var day: Int64?
        for message in page.messages {
            if clock.day(message.time) != day {
                day = clock.day(message.time)
                lines.append(style(.strong, clock.dayName(message.time)))
            }
            lines += Self.lines(message, nameWidth: min(width, 24), withID: withIDs, clock: clock, style: style)
        }
        if let note { lines.append(style(.warning, note)) }
        return lines
    }

    private var empty: [String] {
        let title = VisibleText.line(page.conversation.title)
        if let note { return [note] }
        return ["No messages with \(title) yet. Write the first: parlance send \(ShellWord.quoted(who)) Hello"]
    }

    private var note: String? {
        let title = VisibleText.line(page.conversation.title)
        switch page.conversation.contact {
        case .open: return nil
        case .requested:
            let preview = page.conversation.preview.map { ": \(VisibleText.line($0))" } ?? ""
            return "\(title) asks to talk\(preview). Say yes with: parlance accept \(ShellWord.quoted(who))"
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

    /// The characters shown of a message's ID, as everywhere in the command.
    private static let idWidth = 12

    /// One message: time, ID if wanted, sender, text (further lines of it indented), and for an own one its status.
    package static func lines(
        _ message: MessageInfo,
        nameWidth: Int,
        withID: Bool = false,
        clock: LocalClock,
        style: TextStyle
    ) -> [String] {
        let name = DisplayWidth.pad(DisplayWidth.cut(name(message), to: max(1, nameWidth)), to: nameWidth)
        var head = "\(style(.faint, clock.hourAndMinute(message.time)))  "
        if withID {
            let id = DisplayWidth.pad(VisibleText.line(String(message.id.prefix(idWidth))), to: idWidth)
            head += "\(style(.faint, id))  "
        }
        head += "\(style(message.mine ? .plain : .name, name))  "
        let indent = String(repeating: " ", count: 5 + 2 + (withID ? idWidth + 2 : 0) + nameWidth + 2)
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
}
