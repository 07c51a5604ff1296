import ParlanceControl
import ParlanceWords

/// Lines of plain text: what others wrote controls no terminal and cannot look like the next message.
struct ExportText: ExportRenderer {
    private let lines: MessageLines
    private let clock: LocalClock
    private var day: ExportDay?

    init(withBlocked: Bool, clock: LocalClock) {
        let style = TextStyle(isColoured: false)
        lines = MessageLines(nameWidth: nil, withBlocked: withBlocked, clock: clock, style: style)
        self.clock = clock
    }

    mutating func begin(_ about: ExportHeader) -> [String] { [ConversationHeading.export(about, clock)] }

    mutating func begin(_ conversation: ConversationInfo) -> [String] {
        day = nil
        let heading = ConversationHeading(conversation)
        let underline = String(repeating: "=", count: min(heading.title.count, 78))
        return ["", "", heading.title, underline] + heading.about
    }

    mutating func message(_ message: MessageInfo) -> [String] {
        let today = ExportDay(message.time, clock)
        let isNew = day != today
        day = today
        return (isNew ? ["", today.heading] : []) + lines.lines(message)
    }

    mutating func endConversation() -> [String] { day == nil ? ["", say("No messages yet.")] : [] }

    mutating func end(_ count: ExportCount) -> [String] { [] }
}
