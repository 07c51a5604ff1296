import Foundation
import ParlanceCore
import ParlanceWire
import Testing

/// What one author may write into one conversation in a day (sync.md, "Full").
@Suite struct QuotaTests {
    private let quota: UInt64 = 2_000
    private let text = String(repeating: "x", count: 1_200)

    private func scene() throws -> (bench: EngineBench, bob: RemotePeer) {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.feed(.quotaChanged(quota))
        bench.open(1, with: bob)
        _ = bench.takeFrames(on: 1)
        return (bench, bob)
    }

    private func taken(_ bench: EngineBench) -> Int { bench.batches.reduce(0) { $0 + $1.events.count } }

    @Test func aDayTakesNoMoreThanTheQuota() throws {
        var (bench, bob) = try scene()
        let place = bob.conversation(with: bench.identity)
        let events = (0..<4).map { _ in bob.write(text, to: bench.identity) }
        bench.received(bob.events(place, [events[0]]), on: 1)
        #expect(try bench.view(of: bob.identity).fullUntil == nil)
        bench.received(bob.events(place, [events[1]]), on: 1)
        #expect(taken(bench) == 2 && bench.takeFrames(on: 1).compactMap(\.asFull).isEmpty)
        let end = try #require(try bench.view(of: bob.identity).fullUntil)
        #expect(end == bench.now.wall + Limits.quotaMilliseconds)
        for event in events[2...] { bench.received(bob.events(place, [event]), on: 1) }
        #expect(taken(bench) == 2)
        let told = bench.takeFrames(on: 1).compactMap(\.asFull)
        #expect(told.count == 2 && told.allSatisfy { ConversationID($0.conversation) == place })
        #expect(told.allSatisfy { $0.milliseconds == UInt64(Limits.quotaMilliseconds) })
        #expect(bench.closed.isEmpty)
        // What is held already is acknowledged as always.
        bench.received(bob.events(place, [events[1]]), on: 1)
        #expect(bench.takeFrames(on: 1).contains { $0.asHave != nil })
        // The next day there is room.
        bench.pass(Limits.quotaMilliseconds)
        #expect(try bench.view(of: bob.identity).fullUntil == nil)
        bench.open(2, with: bob)
        bench.received(bob.events(place, events[2...]), on: 2)
        #expect(taken(bench) == 4)
    }

    @Test func aClockThatIsSetEndsNoDay() throws {
        var (bench, bob) = try scene()
        let place = bob.conversation(with: bench.identity)
        for _ in 0..<2 { bench.received(bob.events(place, [bob.write(text, to: bench.identity)]), on: 1) }
        bench.setClock(forward: 3 * Limits.quotaMilliseconds)
        bench.received(bob.events(place, [bob.write(text, to: bench.identity)]), on: 1)
        #expect(taken(bench) == 2)
    }

    @Test(arguments: [Command.allow(who: "Bob"), nil]) func theUserLetsTheRestCome(by command: Command?) throws {
        var (bench, bob) = try scene()
        let place = bob.conversation(with: bench.identity)
        let events = (0..<3).map { _ in bob.write(text, to: bench.identity) }
        for event in events { bench.received(bob.events(place, [event]), on: 1) }
        #expect(taken(bench) == 2)
        _ = bench.takeFrames(on: 1)
        if let command { _ = try bench.ask(command).get() } else { bench.feed(.quotaChanged(nil)) }
        let clock = try #require(bench.takeFrames(on: 1).compactMap(\.asClock).first)
        #expect(try Clock(decoding: clock.entries)[bob.logID] == events[1].position)
        bench.received(bob.events(place, [events[2]]), on: 1)
        #expect(taken(bench) == 3)
    }

    @Test func othersAreNotAskedForIt() throws {
        var crew = try GroupBench(2)
        crew.bench.feed(.quotaChanged(quota))
        let events = (0..<3).map { _ in crew.write(text, by: 1) }
        crew.open(1)
        crew.send(Array(events[..<2]), by: 1)
        crew.close(1)
        crew.open(0)
        crew.tellHave(events[2], by: 0)
        crew.bench.pass(3 * Limits.healPatienceMilliseconds)
        #expect(crew.take(\.asWant).isEmpty)
        // Nor is it taken from somebody who sends it unasked; and only its author is told why.
        let before = taken(crew.bench)
        crew.send([events[2]], by: 0)
        #expect(taken(crew.bench) == before && crew.take(\.asFull).isEmpty)
        crew.bench.feed(.quotaChanged(nil))
        crew.bench.pass(Limits.healDelayMilliseconds)
        #expect(crew.take(\.asWant)[0]?.map(\.after) == [2])
        crew.send([events[2]], by: 0)
        #expect(taken(crew.bench) == before + 1)
    }

    @Test func whoIsToldStopsAndSaysWhy() throws {
        var (bench, bob) = try scene()
        let place = bob.conversation(with: bench.identity)
        _ = try bench.ask(.send(who: "Bob", text: "one"))
        #expect(bench.takeFrames(on: 1).compactMap(\.asEvents).count == 1)
        var full = WireFull()
        (full.conversation, full.milliseconds) = (Data(place.bytes), 3_600_000)
        bench.received(.full(full), on: 1)
        _ = try bench.ask(.send(who: "Bob", text: "two"))
        bench.pass(20_000)
        #expect(bench.takeFrames(on: 1).compactMap(\.asEvents).isEmpty)
        let delivery = try bench.view(of: bob.identity).delivery
        #expect(delivery.reason == .quotaUsed && delivery.logs.map(\.sendingThrough) == [1])
        #expect(delivery.nextTry == bench.now.monotonic - 20_000 + 3_600_000)
        // The peer's clock says that there is room, and what it has.
        bench.received(bob.clock(place, Clock()), on: 1)
        let events = bench.takeFrames(on: 1).compactMap(\.asEvents)
        #expect(events.flatMap(\.events).count == 2)
        #expect(try bench.view(of: bob.identity).delivery.reason == .onItsWay)
    }

    @Test func aMalformedOneIsABreach() throws {
        var (bench, bob) = try scene()
        var full = WireFull()
        full.conversation = Data(bob.conversation(with: bench.identity).bytes)
        bench.received(.full(full), on: 1)
        #expect(bench.closed == [LinkID(1)])
    }
}

extension WireFrame.OneOf_Kind {
    var asClock: WireClock? { if case .clock(let frame) = self { frame } else { nil } }
    var asEvents: WireEvents? { if case .events(let frame) = self { frame } else { nil } }
    var asFull: WireFull? { if case .full(let frame) = self { frame } else { nil } }
}
