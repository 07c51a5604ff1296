import Foundation
import Testing

@testable import parlance_bench

@Suite struct ResultsTests {
    @Test func jsonHasTheMediansAndObjects() throws {
        var results = Results()
        for value in [3.0, 1, 2] { results.add("attack_drip.p99_ms", value) }
        results.add("rounds", 3)
        results.add("attack_drip.started", 12_345)
        results.add("unknown", nil)
        #expect(results.json == #"{"attack_drip":{"p99_ms":2,"started":12345},"rounds":3}"#)
    }

    @Test func percentilesAreNearestRanksAndMediansAreInTheMiddle() {
        let hundred = (1...100).map(Double.init)
        #expect([0, 1, 50, 99, 100].map { hundred.percentile($0) } == [1, 1, 50, 99, 100])
        #expect([7.0].percentile(99) == 7)
        #expect([1.0, 2].percentile(99) == 2)
        #expect([1.0, 2].median == 1.5 && [1.0, 2, 9].median == 2)
    }

    @Test(arguments: [
        (0.98321, "0.9832"), (38_191.4, "38191"), (0.2, "0.2"), (150, "150"), (0, "0"), (16.7001, "16.7"),
    ])
    func numbersKeepFourSignificantDigits(value: Double, text: String) {
        #expect(Results.text(value) == text)
    }

    @Test func theTableComparesWithTheAim() throws {
        var results = Results()
        results.add("send_to_delivered_p50_ms", 0.9)
        results.add("ideal_p50_ms", 0.1)
        results.add("ready_ms", 149.9)
        results.add("stored_messages", 1_000_000)
        results.add("caught_up_per_second", 50_000)
        let lines = Table(results: results).text.split(separator: "\n").map { line in
            line.split(separator: " ").joined(separator: " ")
        }
        #expect(
            lines.dropFirst() == [
                "sent to delivered, p50 0.9 ms ideal 0.1 ms 9 x at most 4.5 x missed",
                "catching up ? messages, a second 50,000 at least 0.5 x",
                "ready with 1,000,000 messages 149.9 ms under 150 ms met",
            ]
        )
    }

    @Test func aBatchCostsAsManyTimesAsItHasMessages() {
        var results = Results()
        results.add("stream_sender_switches", 0.5)
        results.add("stream_messages_per_batch", 100)
        let lines = CostTable(results: results).lines.map { $0.split(separator: " ").joined(separator: " ") }
        #expect(lines.dropFirst() == ["a stream of messages, a message: sender 0.5", "a batch of 100 50"])
    }

    @Test func eachLineOfTheTableHasAValueOfItsOwn() {
        let names = Measure.all.filter { !$0.needsOther }.map(\.name)
        #expect(Set(names).count == names.count)
    }
}
