import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// A message written under a clock that is far ahead is shown with its time of arrival.
@Suite struct ShownTimeTests {
    private func shownTime(ahead milliseconds: Int64) throws -> (shown: Int64, later: Int64, now: Int64) {
        var bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        bob.write("hello", to: bench.identity, time: UInt64(bench.now.wall + milliseconds) << 16)
        let moment = bench.now.wall
        bench.received(bob.events(bob.conversation(with: bench.identity), bob.log), on: 1)
        let told = bench.takeEffects().compactMap { effect in
            if case .notify(.message(let message)) = effect { message.time } else { nil }
        }
        bench.pass(3 * 86_400_000)
        let history = bench.disk.history(of: bob.conversation(with: bench.identity))
        #expect(history.map(\.time) == told)
        let time = try #require(told.first)
        return (time.shown(at: moment), time.shown(at: bench.now.wall), moment)
    }

    @Test func moreThanADayAheadIsShownAsTheArrival() throws {
        let near = try shownTime(ahead: Limits.aheadMilliseconds)
        #expect(near.shown == near.now + Limits.aheadMilliseconds)
        let far = try shownTime(ahead: Limits.aheadMilliseconds + 1)
        #expect(far.shown == far.now)
        // By then the reader's clock may have been corrected, so the time is shown as it was written.
        #expect(far.later == far.now + Limits.aheadMilliseconds + 1)
        let past = try shownTime(ahead: -1_000_000_000)
        #expect(past.shown == past.now - 1_000_000_000)
    }

    /// An author's later messages keep rising times, but its own screen shows the corrected time.
    @Test func ownTimesAfterAClockThatWasAhead() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        let month: Int64 = 30 * 86_400_000
        bench.setClock(forward: month)
        _ = try bench.ask(.send(who: "Bob", text: "one"))
        bench.setClock(forward: -month)
        _ = try bench.ask(.send(who: "Bob", text: "two"))
        let shown = bench.disk.history(of: bob.conversation(with: bench.identity))
        #expect(shown.map { $0.time.shown(at: bench.now.wall) } == [bench.now.wall + month, bench.now.wall])
        #expect(shown.map(\.text) == ["one", "two"])
    }

    /// A removal under a clock that is a year ahead is shown with its time of arrival.
    @Test func aRemovalByAClockThatIsAhead() throws {
        let (world, _) = try GroupTests.world(2)
        let year: Int64 = 365 * 86_400_000
        world.skew[0] += year
        world.give(.changeGroup(who: "Bridge", .remove([world.nodes[1].identity.grouped])), to: 0)
        world.run(for: 2_000)
        let removed = 1_700_000_000_000 + world.now
        world.run(for: 60_000)
        let departure = try #require(try GroupTests.view(world, 1).departure)
        #expect((removed - 2_000...removed).contains(departure.time))
    }
}
