import ParlanceCore
import ParlanceTestKit
import ParlanceWire
import Testing

/// A clock that is far ahead is not believed by those who read what was written by it.
@Suite struct ShownTimeTests {
    private func shownTime(ahead milliseconds: Int64) throws -> (shown: Int64, now: Int64) {
        var bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        bob.write("hello", to: bench.identity, time: UInt64(bench.now.wall + milliseconds) << 16)
        let moment = bench.now.wall
        bench.received(bob.events(bob.conversation(with: bench.identity), bob.log), on: 1)
        let told = bench.takeEffects().compactMap { effect in
            if case .notify(.message(let message)) = effect { message.time.milliseconds } else { nil }
        }
        bench.pass(3 * 86_400_000)
        let history = bench.disk.history(of: bob.conversation(with: bench.identity))
        #expect(history.map(\.time.milliseconds) == told)
        return (try #require(told.first), moment)
    }

    @Test func moreThanADayAheadIsShownAsTheArrival() throws {
        let near = try shownTime(ahead: 86_400_000)
        #expect(near.shown == near.now + 86_400_000)
        let far = try shownTime(ahead: 86_400_001)
        #expect(far.shown == far.now)
        let past = try shownTime(ahead: -1_000_000_000)
        #expect(past.shown == past.now - 1_000_000_000)
    }

    /// Its own times go on from where they were, but not on its own screen.
    @Test func ownTimesAfterAClockThatWasAhead() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        let month: Int64 = 30 * 86_400_000
        bench.setClock(forward: month)
        _ = try bench.ask(.send(who: "Bob", text: "one"))
        bench.setClock(forward: -month)
        _ = try bench.ask(.send(who: "Bob", text: "two"))
        let shown = bench.disk.history(of: bob.conversation(with: bench.identity))
        #expect(shown.map(\.time.milliseconds) == [bench.now.wall + month, bench.now.wall])
        #expect(shown.map(\.text) == ["one", "two"])
    }
}
