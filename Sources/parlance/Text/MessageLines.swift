import ParlanceControl
import ParlanceTerminal
import ParlanceTexts
import ParlanceWords

/// A message as lines for a terminal: time, ID if requested, sender, quoted message, text, status, reactions.
struct MessageLines {
    /// The columns for the sender's name; nil if the text follows the whole name.
    private let nameWidth: Int?
    private let withID: Bool
    /// Whether to show the group's title before the sender, for lines of several conversations.
    private let withGroup: Bool
    /// Whether to show messages of blocked people like others.
    private let withBlocked: Bool
    private let clock: LocalClock
    private let style: TextStyle
    /// The columns of the terminal; nil if nothing is wrapped.
    private let width: Int?

    /// The characters shown of a message's ID, the same in all output of the command.
    static let idWidth = 12
    /// The columns shown of a quoted message.
    private static let quoteWidth = 60

    init(
        nameWidth: Int?,
        withID: Bool = false,
        withGroup: Bool = false,
        withBlocked: Bool = false,
        clock: LocalClock,
        style: TextStyle,
        width: Int? = nil
    ) {
        self.nameWidth = nameWidth
        self.withID = withID
        self.withGroup = withGroup
        self.withBlocked = withBlocked
        self.clock = clock
        self.style = style
        self.width = width
    }

    /// The least columns in which a text is wrapped; in less room the terminal breaks it.
    private static let leastRoom = 20

    /// The name to show for the sender.
    static func name(_ message: MessageInfo) -> String {
        message.mine ? say("You") : VisibleText.line(message.shownSender)
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
        let role: TextStyle.Role = message.mine ? .plain : .name
        var before = 5 + 2 + (withID ? Self.idWidth + 2 : 0) + DisplayWidth.of(group)
        if let nameWidth {
            let name = DisplayWidth.cut(Self.name(message), to: max(1, nameWidth))
            head += "\(style(role, DisplayWidth.pad(name, to: nameWidth)))  "
            before += nameWidth + 2
        } else {
            head += "\(style(role, Self.name(message))): "
        }
        let indent = String(repeating: " ", count: before)
        let room = width.map { $0 - indent.count }.flatMap { $0 < Self.leastRoom ? nil : $0 }
        return body(message, room).enumerated().map { $0 == 0 ? head + $1 : indent + $1 }
    }

    /// The line that replaces a message of a blocked person; nil if the message is shown.
    private func folded(_ message: MessageInfo) -> String? {
        guard message.blocked == true, !withBlocked else { return nil }
        // Lines of several conversations come from a command that has no such option.
        let group = NameText.plain(message.group ?? message.conversation)
        let how = withGroup ? ShellWord.command("parlance history", [group], options: ["--blocked"]) : "--blocked"
        return say("(a message of \(Self.name(message)), whom you have blocked; \(how) shows it)")
    }

    /// - Parameter room: the columns to which texts are wrapped; nil if they are not.
    private func body(_ message: MessageInfo, _ room: Int?) -> [String] {
        var lines = message.answers.map { [style(.faint, quote($0, room))] } ?? []
        let text = text(message).flatMap { line in room.map { WordWrap.lines(line, width: $0) } ?? [line] }
        lines += message.deleted == nil ? text : text.map { style(.faint, $0) }
        let files = files(message).flatMap { line in room.map { WordWrap.lines(line, width: $0) } ?? [line] }
        lines += files
        var used = DisplayWidth.of(files.last ?? text.last ?? "")
        for (role, words) in remarks(message) {
            let columns = DisplayWidth.of(words)
            if let room, used + columns > room {
                let shown = String(words.drop { $0 == " " })
                let pieces = WordWrap.lines(shown, width: room)
                lines += pieces.map { style(role, $0) }
                used = DisplayWidth.of(pieces.last ?? "")
            } else {
                lines[lines.count - 1] += style(role, words)
                used += columns
            }
        }
        if let reactions = message.reactions, !reactions.isEmpty {
            lines.append(style(.faint, VisibleText.line(MessageSummary.reactions(reactions))))
        }
        return lines
    }

    /// What stands behind the text: how it was changed, and its status.
    private func remarks(_ message: MessageInfo) -> [(TextStyle.Role, String)] {
        var remarks = MessageRemarks.of(message).map { ($0.role, " " + $0.words) }
        if let status = message.status, let words = StatusText.words(message).map(say) {
            remarks.append((StatusText.role(status), "  [\(VisibleText.line(words))]"))
        }
        return remarks
    }

    /// A line for each file.
    private func files(_ message: MessageInfo) -> [String] {
        guard message.deleted == nil else { return [] }
        return (message.files ?? []).map { VisibleText.line(FileText.line($0, mine: message.mine)) }
    }

    private func text(_ message: MessageInfo) -> [String] {
        if message.text.isEmpty, message.deleted == nil, message.files?.isEmpty == false { return [] }
        guard let deletion = message.deleted else { return VisibleText.lines(message.text) }
        return [VisibleText.line(MessageSummary.deleted(deletion))]
    }

    private func quote(_ quote: QuoteInfo, _ room: Int?) -> String {
        let line = VisibleText.line(MessageSummary.quote(quote, withBlocked: withBlocked))
        return "> " + DisplayWidth.cut(line, to: min(Self.quoteWidth, (room ?? .max) - 2))
    }
}
