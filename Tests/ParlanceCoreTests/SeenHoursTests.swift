import ParlanceWire
import Testing

@testable import ParlanceCore

/// In which hours of the last week peers were here.
@Suite struct SeenHoursTests {
    private let hour = SeenHours.milliseconds
    private let start: Int64 = 500_000

    private func noted(_ hours: [Int64]) -> SeenHours {
        hours.reduce(into: SeenHours()) { $0.note((start + $1) * hour + 5) }
    }

    private func shown(_ seen: SeenHours, at now: Int64) -> [Int64] {
        seen.all(until: (start + now) * hour).map { $0 / hour - start }
    }

    @Test func hoursOfTheLastSevenDaysAreShown() {
        #expect(SeenHours().all(until: start * hour).isEmpty)
        let seen = noted([0, 0, 1, 5, 160])
        #expect(shown(seen, at: 160) == [0, 1, 5, 160])
        #expect(shown(seen, at: 168) == [1, 5, 160], "the present hour is the last of \(Limits.seenHours)")
        #expect(shown(seen, at: 400).isEmpty)
        #expect(SeenHours.first(until: start * hour) == (start - 167) * hour)
    }

    /// Whatever is noted in whatever order while the clock runs, the bits are those of a plain set.
    @Test func bitsAreASet() {
        var random = SeededGenerator(seed: 31)
        var (seen, plain, now) = (SeenHours(), Set<Int64>(), Int64(0))
        for _ in 0..<2_000 {
            now += Int64.random(in: 0...9, using: &random)
            if Bool.random(using: &random) {
                seen.note((start + now) * hour)
                plain.insert(now)
            }
            let expected = plain.filter { $0 > now - Int64(Limits.seenHours) }.sorted()
            #expect(shown(seen, at: now) == expected, "at \(now)")
        }
    }

    @Test func aClockThatIsSetForgetsAtMostAWeek() {
        var seen = noted([0, 1, 40])
        seen.note((start + 39) * hour)
        #expect(shown(seen, at: 40) == [0, 1, 39, 40])
        #expect(shown(seen, at: 1) == [0, 1], "nothing is shown that is still to come")
        seen.note((start - 1_000) * hour)
        #expect(shown(seen, at: -1_000) == [-1_000] && shown(seen, at: 40).isEmpty)
        seen.note(.max)
        seen.note(.min)
        seen.note(0)
        #expect(seen.all(until: 0).count == 1)
    }

    @Test func whatIsOnTheDiskIsReadOrRefused() throws {
        #expect(SeenHours().encoded == nil)
        let bytes = try #require(noted([0, 7, 100]).encoded)
        #expect(bytes.count == 29 && SeenHours(encoded: bytes) == noted([0, 7, 100]))
        #expect(SeenHours(encoded: Array(bytes.dropLast())) == nil)
        #expect(SeenHours(encoded: [UInt8](repeating: 0xFF, count: 29)) == nil)
        #expect(SeenHours(encoded: [UInt8](repeating: 0, count: 29)) == nil)
    }

    /// Of an accepted peer each hour of a link is kept, over a restart, until it is blocked; of others nothing is.
    @Test func onlyHoursOfAcceptedPeersAreKept() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        for _ in 0..<(3 * hour / 30_000) {
            bench.pass(30_000)
            bench.received(bob.hello().asHeartbeat, on: 1)
        }
        bench.restart()
        let end = bench.now.wall
        let first = end - 3 * hour
        let hours = try bench.view(of: bob.identity).record.hours.all(until: end)
        #expect(hours.count >= 3 && hours.allSatisfy { $0 > first - hour }, "\(hours)")
        _ = try bench.ask(.block(who: "Bob")).get()
        #expect(try bench.view(of: bob.identity).record.hours == SeenHours())

        let stranger = try RemotePeer(9)
        bench.open(2, with: stranger)
        #expect(try bench.view(of: stranger.identity).record.hours == SeenHours())
    }
}
