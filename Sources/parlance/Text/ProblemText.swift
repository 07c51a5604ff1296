import ParlanceControl
import ParlanceWords

/// Findings as lines for a terminal: the same in `status` and `doctor`.
struct ProblemText {
    let problems: [NodeStatus.Problem]
    let clock: LocalClock
    let style: TextStyle

    /// Notes shown at most in the output of other commands than `doctor`.
    private static let notesShown = 5

    init(_ problems: [NodeStatus.Problem], clock: LocalClock, style: TextStyle) {
        self.problems = problems
        self.clock = clock
        self.style = style
    }

    var hasProblem: Bool { problems.contains { $0.severity == .problem } }

    var lines: [String] { lines(of: problems) }

    /// All problems, and the first notes.
    var shortLines: [String] {
        let notes = problems.filter { $0.severity != .problem }
        let left = notes.count - Self.notesShown
        return lines(of: problems.filter { $0.severity == .problem } + notes.prefix(Self.notesShown))
            + (left > 0
                ? [
                    left == 1
                        ? say("and 1 more note: parlance doctor") : say("and \(left) more notes: parlance doctor")
                ] : [])
    }

    private func lines(of problems: [NodeStatus.Problem]) -> [String] {
        problems.flatMap { problem in
            let word = problem.severity == .problem ? style(.warning, say("Problem:")) : style(.faint, say("Note:"))
            let message = problem.since.map { Phrase("\(problem.message.withoutPeriod) (since \(clock.short($0))).") }
            let line = VisibleText.line(say(message ?? problem.message))
            return ["\(word) \(line)", "  " + VisibleText.line(say(problem.advice))]
        }
    }
}
