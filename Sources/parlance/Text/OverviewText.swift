import ParlanceControl
import ParlanceTerminal
import ParlanceTexts
import ParlanceWords

/// The lines of `parlance` alone: how things are, and what to do next.
struct OverviewText {
    let status: NodeStatus
    let conversations: [ConversationInfo]
    let clock: LocalClock
    let style: TextStyle

    /// The conversations with news that are named.
    private static let conversationsNamed = 3

    /// The columns of a command that the column of the reasons makes room for.
    private static let widestCommand = 40

    var lines: [String] {
        let counts = status.counts
        let waiting = counts.inOutbox == 0 ? say("nothing waits") : say("\(counts.inOutbox) in the outbox")
        let problems = status.problems.filter { $0.severity == .problem || isShown($0) }
        var head = [
            "\(style(.strong, NameText.plain(status.name)))  \(VisibleText.line(presence))",
            say("  \(counts.nearby) nearby, \(counts.connected) connected; \(counts.unread) unread, \(waiting)"),
        ]
        if let looking { head.append("  " + style(.faint, say(looking))) }
        return head + ProblemText(problems, clock: clock, style: style).lines
            + ["", style(.strong, say("What to do next:"))] + stepLines
            + ["", say("All commands: parlance --help. More about your node: parlance status")]
    }

    /// Whether a note is shown here: what its user has to deal with next.
    private func isShown(_ problem: NodeStatus.Problem) -> Bool {
        let shown = [NodeStatus.Problem.outside, NodeStatus.Problem.update, NodeStatus.Problem.admission]
        return problem.severity == .note && shown.contains(problem.code)
    }

    private var looking: Phrase? { status.looking(at: clock.now) }

    private var presence: String {
        let text = status.presence.text.map { " (\($0))" } ?? ""
        let away = status.presence.away.map { ", " + AwayText(away: $0, clock: clock).short } ?? ""
        return say(status.presence.state.words) + text + away
    }

    private var stepLines: [String] {
        let steps = steps.map {
            (
                command: VisibleText.line(CommandOptions.added(toCommand: "parlance \($0.command)")),
                why: VisibleText.line($0.why)
            )
        }
        let widest = steps.map { DisplayWidth.of($0.command) }.filter { $0 <= Self.widestCommand }.max() ?? 0
        return steps.map { "  \(style(.name, DisplayWidth.pad($0.command, to: widest)))  \($0.why)" }
    }

    /// What waits for the user first, then what one can always do.
    private var steps: [(command: String, why: String)] {
        let counts = status.counts
        var steps: [(String, String)] = []
        if status.nameless == true {
            steps.append((say("name NEW"), say("choose a name; so far others see your login name")))
        }
        if counts.requests > 0 {
            let why =
                counts.requests == 1
                ? say("1 person asks to talk; accept or decline")
                : say("\(counts.requests) people ask to talk; accept or decline")
            steps.append(("requests", why))
        }
        let alike = conversations.alike
        for conversation in conversations.filter(\.hasNews).prefix(Self.conversationsNamed) {
            let name = alike.contains(conversation.id) ? conversation.shortID : NameText.plain(conversation.title)
            steps.append((ShellWord.command("history", [name]), say("\(conversation.unread) unread")))
        }
        if counts.inOutbox > 0 { steps.append(("outbox", say("what waits or has failed, and why"))) }
        let notes = status.problems.count { $0.severity == .note && !isShown($0) }
        if counts.nearby + counts.connected == 0, looking == nil {
            steps.append(("doctor", say("why nobody is found")))
        } else if notes > 0 {
            let why =
                notes == 1
                ? say("1 note, such as who is not reached and why")
                : say("\(notes) notes, such as who is not reached and why")
            steps.append(("doctor", why))
        }
        return steps + [("peers", say("who is here")), (say("send WHO TEXT"), say("write to somebody, or to a group"))]
    }
}
