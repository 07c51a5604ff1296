import ParlanceControl
import Testing

@testable import parlance

@Suite struct ActionExportTests {
    private func action(_ task: String, deadline: String? = nil, title: String = "Crew") -> ActionInfo {
        var source = Sample.source("Please, do it")
        (source.title, source.sender.id) = (title, "b")
        var action = ActionInfo(id: "m1/1", task: task, priority: .high, done: false, source: source)
        (action.assignee, action.deadline) = ("Ada", deadline)
        return action
    }

    private func calendar(_ action: ActionInfo) -> [String] {
        ActionExport.calendar([action], now: ControlTime(milliseconds: 1_772_000_000_000))
    }

    @Test func aCalendarHasATaskWithItsDay() {
        let lines = calendar(action("order filters", deadline: "2026-03-06"))
        #expect(lines.first == "BEGIN:VCALENDAR" && lines.last == "END:VCALENDAR")
        #expect(lines.contains("SUMMARY:order filters") && lines.contains("DUE;VALUE=DATE:20260306"))
        #expect(lines.contains("DTSTAMP:20260225T061320Z") && lines.contains("PRIORITY:1"))
        #expect(lines.contains(#"DESCRIPTION:Crew\, Bob: Please\, do it"#))
        #expect(calendar(action("x", deadline: "2026-03-06T12:00")).contains("DUE:20260306T120000"))
    }

    /// Texts of others add no line and no property, and no line is too long.
    @Test func noTextLeavesItsLine() {
        let text = "a\r\nEND:VTODO\nDUE:1;2,3\\ \u{1B}" + String(repeating: "ä", count: 100)
        let lines = calendar(action(text, title: text))
        #expect(lines.count { $0 == "END:VTODO" } == 1 && !lines.contains { $0.hasPrefix("DUE:1") })
        #expect(lines.allSatisfy { $0.utf8.count <= 75 && !$0.contains("\n") && !$0.contains("\u{1B}") })
        let whole = lines.reduce("") { $1.hasPrefix(" ") ? $0 + $1.dropFirst() : $0 + "\n" + $1 }
        #expect(whole.contains(#"DUE:1\;2\,3"#) && whole.contains(String(repeating: "ä", count: 100)))
    }

    /// In the list of a terminal.
    @Test func whatIsOverdueIsMarked() {
        let clock = LocalClock(now: ControlTime(milliseconds: 0)) { _ in 0 }
        let text = ActionText(clock: clock, style: TextStyle(isColoured: false))
        var late = action("order filters", deadline: "2026-03-06T12:00")
        #expect(text.lines([late], nil).first?.hasSuffix("  (Ada, by 2026-03-06 12:00, urgent)") == true)
        late.overdue = true
        #expect(text.lines([late], nil).first?.hasSuffix("  (Ada, overdue: by 2026-03-06 12:00, urgent)") == true)
    }

    @Test func noFieldOfATableIsAFormula() {
        let rows = ActionExport.table([action("=cmd()|'x'!A1"), action("a \"b\", c")])
        #expect(rows[0].hasPrefix("id,task,assignee,deadline"))
        #expect(rows[1].hasPrefix("m1/1,'=cmd()|'x'!A1,Ada,,high,no,Crew,Bob,2026-02-25T06:13:20.000Z"))
        #expect(rows[2].hasPrefix(#"m1/1,"a ""b"", c",Ada"#))
    }
}
