import ParlanceControl
import ParlanceTerminal
import ParlanceTexts
import ParlanceWords

/// A page of a conversation as lines for a terminal: days with headers, newest last.
struct HistoryText {
    private let page: HistoryReply
    private let who: String
    private let isBefore: Bool
    private let unseen: Int
    private let withIDs: Bool
    private let withBlocked: Bool
    private let clock: LocalClock
    private let style: TextStyle
    private let width: Int?

    /// `who` is the name that the user typed for the peer or group, for the command that shows older messages;
    /// `isBefore` says that only what is before some message was asked for. `unseen` unread messages are older than the
    /// page, so all of them stay unread.
    /// `withIDs` shows the beginning of each message's ID, `withBlocked` the messages of blocked people. Texts are wrapped
    /// to `width` columns.
    init(
        page: HistoryReply,
        who: String,
        isBefore: Bool = false,
        unseen: Int = 0,
        withIDs: Bool = false,
        withBlocked: Bool = false,
        clock: LocalClock,
        style: TextStyle,
        width: Int? = nil
    ) {
        self.page = page
        self.who = who
        self.isBefore = isBefore
        self.unseen = unseen
        self.withIDs = withIDs
        self.withBlocked = withBlocked
        self.clock = clock
        self.style = style
        self.width = width
    }

    var lines: [String] {
        guard let oldest = page.messages.first else { return header + empty }
        var lines = header
        // If some of them are unread, the last line says it.
        if page.more, unseen == 0 { lines.append(style(.faint, say("Older messages: \(older(than: oldest))"))) }
        let nameWidth = page.messages.filter { $0.note == nil }.reduce(0) { width, message in
            max(width, DisplayWidth.of(MessageLines.name(message)))
        }
        let shown = MessageLines(
            nameWidth: min(nameWidth, 24),
            withID: withIDs,
            withBlocked: withBlocked,
            clock: clock,
            style: style,
            width: width
        )
        var day: Int64?
        for message in page.messages {
            if clock.day(message.time) != day {
                day = clock.day(message.time)
                lines.append(style(.strong, clock.dayName(message.time)))
            }
            lines += shown.lines(message)
        }
        if page.newer == true, let newest = page.messages.last {
            lines.append(style(.faint, say("Newer messages: \(command("--around \(VisibleText.line(newest.id))"))")))
        }
        if let note { lines.append(style(.warning, note)) }
        if unseen > 0 { lines.append(style(.faint, staysUnread(oldest))) }
        return lines
    }

    private func staysUnread(_ oldest: MessageInfo) -> String {
        let mark = ShellWord.command("parlance read", [who])
        let older = older(than: oldest)
        guard unseen > 1 else {
            return say(
                """
                1 older unread message is not shown, so all stay unread. To see it: \(older); to mark all as read: \
                \(mark)
                """
            )
        }
        return say(
            """
            \(unseen) older unread messages are not shown, so all stay unread. To see them: \(older); to mark all as read: \
            \(mark)
            """
        )
    }

    private func older(than message: MessageInfo) -> String {
        command(ShellWord.option("--before", VisibleText.line(String(message.id.prefix(MessageLines.idWidth)))))
    }

    /// The peer, and whether its identity is verified; empty for a group.
    ///
    /// The usual trust is told once, where the conversation begins; a warning stands above every page.
    private var header: [String] {
        guard let trust = page.conversation.trust else { return [] }
        let name = style(.name, title)
        let words: String? =
            switch trust {
            case .verified: page.more ? nil : style(.good, say("verified"))
            case .accepted:
                page.more ? nil : style(.faint, notVerified)
            case .unknown: style(.faint, say("not accepted"))
            case .blocked: style(.bad, say("blocked"))
            }
        let warning = page.conversation.warning.map { style(.warning, say("Warning: \(VisibleText.line(say($0)))")) }
        return [words.map { "\(name)  \($0)" }, warning].compactMap { $0 }
    }

    /// What it means is told while messages of the person are new, and not each time.
    private var notVerified: String {
        guard page.messages.contains(where: { $0.unread == true }) else { return say("not verified") }
        return say("nobody has checked that this is \(title). \(NameText.compareAdvice(who))")
    }

    private var title: String {
        VisibleText.line(NameText.marked(page.conversation.title, page.conversation.trust))
    }

    /// The command that shows other messages in the same way.
    private func command(_ place: String) -> String {
        let options = (withIDs ? ["--ids"] : []) + (withBlocked ? ["--blocked"] : []) + [place]
        return ShellWord.command("parlance history", [who], options: options)
    }

    private var empty: [String] {
        if isBefore { return [say("There is nothing before that message.")] + (note.map { [$0] } ?? []) }
        if let note { return [note] }
        let none =
            page.conversation.kind == .group
            ? Phrase("No messages in \(title) yet.") : Phrase("No messages with \(title) yet.")
        let command = ShellWord.command("parlance send", [who])
        return [say("\(none) Write the first: \(command) Hello")]
    }

    private var note: String? {
        if page.conversation.isMember == false {
            return page.conversation.ended.map {
                say(
                    "You are not a member of \(title) any more: \(VisibleText.line(say($0.sentence))), \(clock.short($0.time))."
                )
            } ?? say("You are not a member of \(title) any more.")
        }
        switch page.conversation.contact {
        case .open: return nil
        case .requested:
            let preview = page.conversation.preview.map { " (\(VisibleText.line($0)))" } ?? ""
            let command = ShellWord.command("parlance accept", [who])
            return say("\(title) asks to talk\(preview). Say yes with: \(command)")
        case .waiting: return say("Waits until \(title) accepts.")
        case .blocked: return say("\(title) is blocked.")
        }
    }
}
