import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceWire
import Testing

/// Which peer is asked for what another author wrote, and when (sync.md, "Want" and "Have").
@Suite struct HealTests {
    // Asking.

    /// The wait is random, so that nodes that lack the same do not all ask at the same moment.
    @Test func whatIsLackingIsAskedForWithinHalfASecond() throws {
        var crew = try GroupBench(2)
        let event = crew.write("by somebody away", by: 1)
        let clock = Clock(entries: [crew.peers[1].logID: Clock.Entry(position: event.position)])
        var waits: Set<Int64> = []
        for _ in 0..<4_000 {
            crew.open(0, theirs: clock)
            let told = crew.bench.now.monotonic
            #expect(try whoIsAsked(&crew) == [0])
            waits.insert(crew.bench.now.monotonic - told)
            crew.close(0)
            crew.bench.pass(2 * Limits.healDelayMilliseconds)
        }
        // Every whole number of milliseconds below the limit can occur; a few may be missing in this sample.
        #expect(waits.min() == 0 && waits.max() == Limits.healDelayMilliseconds - 1)
        #expect(waits.count > Int(Limits.healDelayMilliseconds) * 9 / 10)
    }

    /// Another peer is asked after a time without progress; progress starts that time again.
    @Test(arguments: [false, true]) func whoDoesNotSendIsLeftForAnother(after progress: Bool) throws {
        var crew = try GroupBench(3)
        let first = crew.write("first", by: 2)
        let last = crew.write("last", by: 2)
        for peer in 0..<2 {
            crew.open(peer)
            crew.tellHave(last, by: peer)
        }
        let one = try #require(whoIsAsked(&crew).first)
        if progress {
            crew.bench.pass(3_000)
            crew.send([first], by: one)
        }
        crew.bench.pass(Limits.healPatienceMilliseconds - 1)
        #expect(crew.take(\.asWant).isEmpty)
        crew.bench.pass(1)
        let again = crew.take(\.asWant)
        #expect(again.mapValues { $0.map(\.after) } == [1 - one: [progress ? 1 : 0]])
    }

    /// Lets time pass until something is asked for, and returns who is asked.
    private func whoIsAsked(_ crew: inout GroupBench) throws -> [Int] {
        var asked: [Int] = []
        while asked.isEmpty {
            let due = try #require(crew.bench.engine.nextDeadline)
            crew.bench.pass(max(0, due - crew.bench.now.monotonic))
            asked = crew.take(\.asWant).keys.sorted()
        }
        return asked
    }

    /// An author that is linked pushes its own log, and is given the time for that.
    @Test func theAuthorComesFirst() throws {
        var crew = try GroupBench(2)
        let event = crew.write("hello", by: 1)
        for peer in 0..<2 {
            crew.open(peer)
            crew.tellHave(event, by: peer)
        }
        crew.bench.pass(Limits.healPatienceMilliseconds - 1)
        #expect(crew.take(\.asWant).isEmpty)
        crew.bench.pass(1 + Limits.healDelayMilliseconds)
        #expect(crew.take(\.asWant).keys.sorted() == [0])
    }

    // Telling peers other than the sender.

    private func told(_ crew: inout GroupBench, of log: LogID) -> [Int: [UInt64]] {
        crew.take(\.asHave).mapValues { frames in
            frames.flatMap(\.entries).filter { LogID($0.log) == log }.map(\.sequence)
        }
    }

    @Test(arguments: [Limits.offersPerEvent, Limits.offersPerEvent + 1])
    func aFewAreToldAtOnceAndTheOthersLater(_ others: Int) throws {
        var crew = try GroupBench(others + 1)
        for peer in crew.peers.indices { crew.open(peer) }
        crew.bench.pass(1_000)
        let log = crew.peers[0].logID
        crew.send([crew.write("hello", by: 0)], by: 0)
        #expect(told(&crew, of: log) == [0: [1]], "who sent it waits to hear")
        crew.bench.pass(Limits.offerDelayMilliseconds)
        let first = told(&crew, of: log)
        #expect(first.count == Limits.offersPerEvent && first[0] == nil)
        crew.bench.pass(Limits.heartbeatMilliseconds)
        let rest = told(&crew, of: log)
        #expect(rest.count == others - Limits.offersPerEvent && Set(rest.keys).isDisjoint(with: first.keys))
    }

    @Test func whatComesSoonAfterIsToldWithIt() throws {
        var crew = try GroupBench(2)
        for peer in crew.peers.indices { crew.open(peer) }
        crew.bench.pass(1_000)
        let log = crew.peers[0].logID
        crew.send([crew.write("one", by: 0)], by: 0)
        crew.bench.pass(Limits.offerDelayMilliseconds - 1)
        crew.send([crew.write("two", by: 0)], by: 0)
        #expect(told(&crew, of: log) == [0: [1, 2]], "nobody else yet")
        crew.bench.pass(1)
        #expect(told(&crew, of: log) == [1: [2]])
        crew.bench.pass(10 * Limits.offerDelayMilliseconds)
        #expect(told(&crew, of: log).isEmpty)
    }
}
