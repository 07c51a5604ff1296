import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
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
        // Nor is it taken from somebody who sends it all the same, who is told so.
        let before = taken(crew.bench)
        crew.send([events[2]], by: 0)
        #expect(taken(crew.bench) == before)
        #expect(crew.take(\.asFull)[0]?.map(\.author) == [Data(crew.peers[1].identity.bytes)])
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
        (full.conversation, full.author) = (Data(place.bytes), Data(bench.identity.bytes))
        full.milliseconds = 3_600_000
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

    /// What nobody takes of one author does not hold up what others write (the window is of the whole link).
    @Test func whoPassesOnWhatIsNotTakenGoesOnWithTheRest() throws {
        var crew = try GroupBench(2)
        let large = String(repeating: "x", count: 60_000)
        let count = Limits.windowBytes / 60_000 + 4
        crew.open(1)
        for _ in 0..<count { crew.send([crew.write(large, by: 1)], by: 1) }
        crew.open(0)
        crew.bench.received(crew.peers[0].want(crew.group, crew.peers[1].logID, after: 0), on: 0)
        let sent = try #require(crew.take(\.asEvents)[0]).flatMap(\.events)
        #expect(!sent.isEmpty && sent.count < count, "the window is full")
        _ = try crew.bench.ask(.send(who: crew.peers[0].identity.grouped, text: "one"))
        crew.bench.received(crew.peers[0].clock(direct(crew), Clock()), on: 0)
        #expect(crew.take(\.asEvents)[0] == nil)
        var full = WireFull()
        (full.conversation, full.author) = (Data(crew.group.bytes), Data(crew.peers[1].identity.bytes))
        full.milliseconds = 3_600_000
        crew.bench.received(.full(full), on: 0)
        let rest = try #require(crew.take(\.asEvents)[0])
        #expect(rest.map { ConversationID($0.conversation) } == [direct(crew)], "and nothing more of the author")
        // What is asked for again is sent again.
        crew.bench.received(crew.peers[0].want(crew.group, crew.peers[1].logID, after: 3), on: 0)
        #expect(crew.take(\.asEvents)[0]?.isEmpty == false)
    }

    private func direct(_ crew: GroupBench) -> ConversationID {
        ConversationID(direct: crew.bench.identity, crew.peers[0].identity)
    }

    @Test func bodiesThatComeLaterCountToo() throws {
        var (bench, bob) = try scene()
        bench.feed(.quotaChanged(3_000))
        let place = bob.conversation(with: bench.identity)
        let events = (0..<5).map { _ in bob.write(text, to: bench.identity) }
        let bare = events.map { event in
            var bare = event
            bare.body = nil
            return bare
        }
        bench.received(bob.events(place, bare[..<4]), on: 1)
        #expect(taken(bench) == 4, "headers are small")
        let known = Clock(entries: [bob.logID: Clock.Entry(position: events[3].position)])
        bench.received(bob.have(place, known), on: 1)
        #expect(bench.takeFrames(on: 1).contains { $0.asBodiesWanted != nil })
        // A body of somebody who lies does not count.
        bench.received(bodies(of: events[0], instead: [UInt8](repeating: 1, count: 3_000)), on: 1)
        bench.received(bodies(of: events[0]), on: 1)
        #expect(try bench.view(of: bob.identity).fullUntil == nil)
        bench.received(bodies(of: events[1]), on: 1)
        #expect(try bench.view(of: bob.identity).fullUntil != nil)
        _ = bench.takeFrames(on: 1)
        bench.received(bodies(of: events[2]), on: 1)
        bench.received(bob.have(place, known), on: 1)
        bench.pass(5_000)
        #expect(!bench.takeFrames(on: 1).contains { $0.asBodiesWanted != nil })
        #expect(bench.disk.history(of: place).filter { !$0.text.isEmpty }.count == 2)
        _ = try bench.ask(.allow(who: "Bob")).get()
        let wanted = bench.takeFrames(on: 1).compactMap(\.asBodiesWanted)
        #expect(wanted.map(\.sequences) == [[3, 4]])
        bench.received(bodies(of: events[2]), on: 1)
        #expect(bench.disk.history(of: place).filter { !$0.text.isEmpty }.count == 3)
    }

    private func bodies(of event: StoredEvent, instead: [UInt8]? = nil) -> WireFrame.OneOf_Kind {
        var entry = WireBodies.Entry()
        entry.sequence = event.header.sequence
        entry.body = Data(instead ?? event.body ?? [])
        var bodies = WireBodies()
        bodies.conversation = Data(event.header.conversation.bytes)
        bodies.log = event.header.log.wire
        bodies.entries = [entry]
        return .bodies(bodies)
    }

    @Test func whatTheDiskDidNotTakeDoesNotCount() throws {
        var (bench, bob) = try scene()
        let place = bob.conversation(with: bench.identity)
        let event = bob.write(text, to: bench.identity)
        bench.diskFails = true
        for link in UInt64(1)...5 {
            if link > 1 { bench.open(link, with: bob) }
            bench.received(bob.events(place, [event]), on: link)
        }
        bench.diskFails = false
        #expect(try bench.view(of: bob.identity).fullUntil == nil)
    }

    @Test func aNewLimitIsShown() throws {
        var (bench, bob) = try scene()
        let place = bob.conversation(with: bench.identity)
        for _ in 0..<2 { bench.received(bob.events(place, [bob.write(text, to: bench.identity)]), on: 1) }
        for limit in [nil, quota] {
            _ = bench.takeEffects()
            bench.feed(.quotaChanged(limit))
            let told = bench.takeEffects().compactMap { if case .notify(.peer(let view)) = $0 { view } else { nil } }
            #expect(told.map { $0.fullUntil != nil } == [limit != nil])
        }
    }

    @Test func aMalformedOneIsABreach() throws {
        for part in 0..<3 {
            var (bench, bob) = try scene()
            var full = WireFull()
            if part != 0 { full.conversation = Data(bob.conversation(with: bench.identity).bytes) }
            if part != 1 { full.author = Data(bench.identity.bytes) }
            if part != 2 { full.milliseconds = 1 }
            bench.received(.full(full), on: 1)
            #expect(bench.closed == [LinkID(1)])
        }
    }
}

extension WireFrame.OneOf_Kind {
    var asClock: WireClock? { if case .clock(let frame) = self { frame } else { nil } }
    var asEvents: WireEvents? { if case .events(let frame) = self { frame } else { nil } }
    var asBodiesWanted: WireBodiesWanted? { if case .bodiesWanted(let frame) = self { frame } else { nil } }
    var asFull: WireFull? { if case .full(let frame) = self { frame } else { nil } }
}
