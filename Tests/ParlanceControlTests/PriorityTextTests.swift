import Testing

@testable import ParlanceControl
@testable import parlance

/// What `parlance priority` shows of what is unread.
@Suite struct PriorityTextTests {
    private func lines(_ priorities: [Urgency], withLow: Bool = false) -> [String] {
        let messages = priorities.enumerated().map { index, priority in
            PriorityInfo(priority: priority, source: Sample.source("text \(index)"))
        }
        let clock = LocalClock(now: ControlTime(milliseconds: 0)) { _ in 0 }
        let text = SourceText(clock: clock, style: TextStyle(isColoured: false))
        return text.priorities(PriorityReply(messages: messages, model: .rules), withLow: withLow).dropLast()
    }

    @Test func whatIsOfLowPriorityIsCounted() {
        let few = lines([.high, .normal, .low])
        #expect(few.count == 3 && few[0].hasSuffix("text 0") && few[1].hasSuffix("text 1"), "\(few)")
        #expect(few.last == "and 1 of low priority: parlance priority --all")
        #expect(lines([.high, .low, .low]).last == "and 2 of low priority: parlance priority --all")
        let none = lines([.low, .low, .low])
        #expect(none == ["Nothing important is unread.", "and 3 of low priority: parlance priority --all"])
        #expect(lines([.high, .normal]).count == 2, "nothing is left out")
    }

    @Test func allShowsEachOfThem() {
        let all = lines([.high, .low, .low], withLow: true)
        #expect(all.count == 3 && all[2].hasSuffix("text 2"), "\(all)")
    }
}
