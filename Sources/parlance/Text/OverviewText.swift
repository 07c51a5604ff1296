import ParlanceControl

/// The lines of `parlance` alone: how things are, and what to do next.
struct OverviewText {
    let status: NodeStatus
    let conversations: [ConversationInfo]
    let clock: LocalClock
    let style: TextStyle

    /// The conversations with unread messages that are named.
    private static let conversationsNamed = 3

    var lines: [String] {
        let counts = status.counts
        let waiting = counts.outbox == 0 ? "nothing waits" : "\(counts.outbox) in the outbox"
        let problems = status.problems.filter { $0.severity == .problem }
        let head = [
            "\(style(.strong, VisibleText.line(status.name)))  \(VisibleText.line(presence))",
            "  \(counts.nearby) nearby, \(counts.connected) connected; \(counts.unread) unread, \(waiting)",
        ]
        return head + ProblemText(problems, clock: clock, style: style).lines
            + ["", style(.strong, "What to do next:")] + steps.map(line)
            + ["", "All commands: parlance --help. More about your node: parlance status"]
    }

    private var presence: String {
        status.presence.state.rawValue + (status.presence.text.map { " (\($0))" } ?? "")
    }

    private func line(_ step: (command: String, why: String)) -> String {
        let command = style(.name, DisplayWidth.pad(VisibleText.line("parlance \(step.command)"), to: 28))
        return "  \(command) \(VisibleText.line(step.why))"
    }

    /// What waits for the user first, then what one can always do.
    private var steps: [(command: String, why: String)] {
        let counts = status.counts
        var steps: [(String, String)] = []
        if counts.requests > 0 {
            let who = counts.requests == 1 ? "1 person asks" : "\(counts.requests) people ask"
            steps.append(("requests", "\(who) to talk; accept or decline"))
        }
        for conversation in conversations.filter({ $0.unread > 0 }).prefix(Self.conversationsNamed) {
            let who = ShellWord.quoted(NameText.plain(conversation.title))
            steps.append(("history \(who)", "\(conversation.unread) unread"))
        }
        if counts.outbox > 0 { steps.append(("outbox", "what waits, for whom and why")) }
        let notes = status.problems.count { $0.severity == .note }
        if counts.nearby + counts.connected == 0 {
            steps.append(("doctor", "why nobody is found"))
        } else if notes > 0 {
            steps.append(("doctor", "\(CountText.words(notes, "note")), such as who is not reached and why"))
        }
        return steps + [("peers", "who is here"), ("send WHO TEXT", "write to somebody, or to a group")]
    }
}
