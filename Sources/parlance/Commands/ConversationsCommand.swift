import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// `parlance conversations`
struct ConversationsCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "conversations",
        abstract: "List your conversations and groups, pinned ones and then the latest first.",
        discussion: """
            Hidden conversations are left out, and groups of which you are not a member any more, unless something in them \
            is unread; --all shows them.

            Example: parlance conversations
            """
    )

    @Flag(help: "Show hidden conversations and groups that you have left too.")
    var all = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(ConversationsOperation()) { reply in
            guard !reply.conversations.isEmpty else {
                return [
                    say(
                        "No conversations yet. See who is here with 'parlance peers', and write: parlance send WHO TEXT"
                    )
                ]
            }
            var table = TextTable(["NAME", "UNREAD", "MENTIONS", "PRESENCE", "SETTING", "LAST", "MESSAGE"])
            let alike = reply.conversations.alike
            let shown = reply.conversations.filter {
                all || $0.hidden != true && ($0.isMember != false || $0.unread > 0)
            }
            for conversation in shown { table.add(row(conversation, alike, session)) }
            let hidden = reply.conversations.count - shown.count
            let note =
                hidden == 0
                ? [] : [say("Not shown: \(hidden) that are hidden or left. See: parlance conversations --all")]
            return (shown.isEmpty ? [] : session.lines(table)) + note
        }
    }

    /// - Parameter alike: the IDs of conversations that share their title with another.
    private func row(_ conversation: ConversationInfo, _ alike: Set<String>, _ session: Session) -> [TextTable.Cell] {
        let title = NameText.marked(conversation.title, conversation.trust)
        let isLoud = conversation.unread > 0 && conversation.muted != true
        let setting = PreferenceText.words(
            pinned: conversation.pinned == true,
            muted: conversation.muted == true,
            until: conversation.mutedUntil,
            quiet: conversation.quiet,
            retain: conversation.retain,
            hidden: conversation.hidden == true,
            disappear: conversation.disappear,
            session.clock
        )
        return [
            TextTable.Cell(
                alike.contains(conversation.id) ? "\(title) (\(conversation.shortID))" : title,
                isLoud ? .strong : .name
            ),
            TextTable.Cell(conversation.unread > 0 ? "\(conversation.unread)" : "", isLoud ? .warning : .faint),
            TextTable.Cell(conversation.mentions > 0 ? "\(conversation.mentions)" : "", .warning),
            conversation.presence.map { session.presence($0) } ?? group(conversation),
            TextTable.Cell(setting, .faint),
            TextTable.Cell(conversation.lastActivity.map(session.clock.short) ?? "", .faint),
            TextTable.Cell(message(conversation)),
        ]
    }

    private func group(_ conversation: ConversationInfo) -> TextTable.Cell {
        guard conversation.kind == .group else { return TextTable.Cell("-", .faint) }
        guard conversation.isMember != false else { return TextTable.Cell(say("not a member"), .warning) }
        return TextTable.Cell(
            conversation.members.map { $0 == 1 ? say("only you") : say("\($0) members") } ?? "",
            .faint
        )
    }

    private func message(_ conversation: ConversationInfo) -> String {
        switch conversation.contact {
        case .requested: return say("asks to talk: \(conversation.preview ?? "") (parlance requests)")
        case .blocked: return say("(blocked)")
        case .open, .waiting: break
        }
        guard let last = conversation.lastMessage else { return "" }
        let mention = last.mentionsMe == true && last.deleted == nil ? " " + say("(mentions you)") : ""
        let text = MessageSummary.line(last, withSender: conversation.kind == .group) + mention
        return conversation.contact == .waiting ? say("\(text) (waits to be accepted)") : text
    }
}
