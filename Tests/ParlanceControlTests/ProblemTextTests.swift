import ParlanceWords
import Testing

@testable import ParlanceControl
@testable import parlance

/// The problems that were found, as people and programs see them.
@Suite struct ProblemTextTests {
    private let clock = LocalClock(now: ControlTime(milliseconds: 1_700_000_000_000)) { _ in 0 }
    private let style = TextStyle(isColoured: false)

    private func problem(_ number: Int, _ severity: NodeStatus.Problem.Severity) -> NodeStatus.Problem {
        NodeStatus.Problem(code: "c\(number)", message: "M\(number).", advice: "A\(number)", severity: severity)
    }

    @Test func problemsComeFirstAndNotesAreCut() {
        let found = (1...8).map { problem($0, .note) } + [problem(9, .problem)]
        let text = ProblemText(found, clock: clock, style: style)
        #expect(text.hasProblem && !ProblemText(found.dropLast(), clock: clock, style: style).hasProblem)
        let lines = text.shortLines
        #expect(lines.prefix(4) == ["Problem: M9.", "  A9", "Note: M1.", "  A1"])
        #expect(lines.count == 13 && lines.last == "and 3 more notes: parlance doctor")
        #expect(text.lines.count == 18)
    }

    @Test func whenItBeganIsTold() {
        var found = problem(1, .problem)
        found.since = clock.now
        #expect(
            ProblemText([found], clock: clock, style: style).lines[0]
                == "Problem: M1 (since \(clock.short(clock.now)))."
        )
    }

    @Test func programsGetTheRuleAndWhomItConcerns() throws {
        var found = problem(1, .problem)
        (found.about, found.rule, found.since) = ("abc", "eventSignature", ControlTime(milliseconds: 0))
        let json = try JSONValueEncoder.encode(found)
        #expect(json["severity"]?.text == "problem" && json["rule"]?.text == "eventSignature")
        #expect(json["about"]?.text == "abc" && json["since"] != nil)
        #expect(
            try JSONValueDecoder.decode(NodeStatus.Problem.self, from: json, name: "problem", strict: true) == found
        )
        #expect(try JSONValueEncoder.encode(problem(2, .fact))["rule"] == nil)
    }
}
