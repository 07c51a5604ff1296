import ParlanceControl

/// A message as lines for a terminal: time, ID if requested, sender, quoted message, text, status, reactions.
struct MessageLines {
    /// The columns for the sender's name.
    private let nameWidth: Int
    private let withID: Bool
    /// Whether to show the group's title before the sender, for lines of several conversations.
    private let withGroup: Bool
    /// Whether to show messages of blocked people like others.
    private let withBlocked: Bool
    private let clock: LocalClock
    private let style: TextStyle

    /// The characters shown of a message's ID, the same in all output of the command.
    static let idWidth = 12
    /// The columns shown of a quoted message.
    private static let quoteWidth = 60

    init(
        nameWidth: Int,
        withID: Bool = false,
        withGroup: Bool = false,
        withBlocked: Bool = false,
        clock: LocalClock,
        style: TextStyle
    ) {
        self.nameWidth = nameWidth
        self.withID = withID
        self.withGroup = withGroup
        self.withBlocked = withBlocked
        self.clock = clock
        self.style = style
    }

    /// The name to show for the sender.
    static func name(_ message: MessageInfo) -> String {
        message.mine ? "You" : VisibleText.line(message.shownSender)
    }

    func lines(_ message: MessageInfo) -> [String] {
        var head = "\(style(.faint, clock.hourAndMinute(message.time)))  "
        if withID {
            let id = DisplayWidth.pad(VisibleText.line(String(message.id.prefix(Self.idWidth))), to: Self.idWidth)
            head += "\(style(.faint, id))  "
        }
        let group = withGroup ? message.group.map { "[\(VisibleText.line(NameText.plain($0)))]  " } ?? "" : ""
        head += style(.faint, group)
        if let note = NoteText.sentence(message) { return [head + style(.faint, "* \(VisibleText.line(note))")] }
        if let folded = folded(message) { return [head + style(.faint, folded)] }
        let name = DisplayWidth.cut(Self.name(message), to: max(1, nameWidth))
        head += "\(style(message.mine ? .plain : .name, DisplayWidth.pad(name, to: nameWidth)))  "
        let before = 5 + 2 + (withID ? Self.idWidth + 2 : 0) + DisplayWidth.of(group)
        let indent = String(repeating: " ", count: before + nameWidth + 2)
        return body(message).enumerated().map { $0 == 0 ? head + $1 : indent + $1 }
    }

    /// The line that replaces a message of a blocked person; nil if the message is shown.
    private func folded(_ message: MessageInfo) -> String? {
        guard message.blocked == true, !withBlocked else { return nil }
        return "(a message of \(Self.name(message)), whom you have blocked; --blocked shows it)"
    }

    private func body(_ message: MessageInfo) -> [String] {
        var lines = message.answers.map { [style(.faint, quote($0))] } ?? []
        lines += text(message)
        if message.versions != nil, message.deleted == nil { lines[lines.count - 1] += style(.faint, " (edited)") }
        if message.mentionsMe == true, message.deleted == nil {
            lines[lines.count - 1] += style(.strong, " (mentions you)")
        }
        if message.waits == true { lines[lines.count - 1] += style(.faint, " (waits for an earlier message)") }
        if let status = message.status, let words = StatusText.words(message) {
            lines[lines.count - 1] += "  " + style(StatusText.role(status), "[\(VisibleText.line(words))]")
        }
        if let reactions = message.reactions, !reactions.isEmpty {
            lines.append(style(.faint, VisibleText.line(Self.words(reactions))))
        }
        return lines
    }

    private func text(_ message: MessageInfo) -> [String] {
        guard let deletion = message.deleted else { return VisibleText.lines(message.text) }
        let who = VisibleText.line(deletion.by.shownName)
        return [style(.faint, "(deleted by \(who))")]
    }

    private func quote(_ quote: QuoteInfo) -> String {
        let name = quote.sender.me == true ? "You" : quote.sender.shownName
        if quote.blocked == true, !withBlocked { return "> (a message of \(VisibleText.line(name)))" }
        let text = quote.text.isEmpty ? "(not shown any more)" : quote.text
        let line = VisibleText.line("\(name): \(text)")
        return "> " + DisplayWidth.cut(line, to: Self.quoteWidth)
    }

    /// `👍 Ada and you, ❤️ Bob`.
    static func words(_ reactions: [ReactionInfo]) -> String {
        reactions.map { "\($0.emoji) \(PeopleText.list($0.people, count: $0.count))" }.joined(separator: "  ")
    }
}
