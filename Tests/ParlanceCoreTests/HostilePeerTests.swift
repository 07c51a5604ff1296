import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// An accepted peer that lies: it can damage only its own log and its own link.
@Suite struct HostilePeerTests {
    @Test func aRunSomebodyElseWroteIsRefused() throws {
        let bob = try RemotePeer()
        var eve = try RemotePeer(3)
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        let event = eve.write("as Eve", to: bench.identity)
        bench.received(bob.events(bob.conversation(with: bench.identity), [event]), on: 1)
        #expect(bench.closed == [LinkID(1)])
        #expect(bench.batches.flatMap(\.events).isEmpty)
    }

    /// Only the holder of the key can add to the local log.
    @Test func ownLogIsOnlyWrittenByItsAuthor() throws {
        let bob = try RemotePeer()
        var twin = try RemotePeer(1, replica: 0x41)
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        var event = twin.write("forged", to: bob.identity)
        event.signature = HeadSeal.sign(event.id, with: bob.key)
        bench.received(bob.events(bob.conversation(with: bench.identity), [event]), on: 1)
        #expect(bench.batches.flatMap(\.events).isEmpty)
        #expect(bench.closed == [LinkID(1)])
        #expect(bench.engine.replica == EngineBench.ownReplica)
    }

    /// An event that is signed with the local key and is not held was written before this store was rolled back.
    @Test func whatOneHasWrittenOneselfComesBackAndANewCopyGoesOn() throws {
        let bob = try RemotePeer()
        var twin = try RemotePeer(1, replica: 0x41)
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        let event = twin.write("before", to: bob.identity)
        let conversation = bob.conversation(with: bench.identity)
        bench.received(bob.events(conversation, [event]), on: 1)
        let fresh = bench.engine.replica
        #expect(fresh != EngineBench.ownReplica)
        #expect(bench.takeEffects().contains(.adopt(fresh)))
        _ = try bench.ask(.send(who: "Bob", text: "after"))
        #expect(bench.disk.history(of: conversation).map(\.text) == ["before", "after"])
        #expect(bench.batches.flatMap(\.events).last?.header.log.replica == fresh)
        #expect(bench.batches.flatMap(\.events).last?.header.sequence == 1)
    }

    @Test func aGapIsMendedByTellingTheWholeClock() throws {
        var bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        let events = (1...3).map { bob.write("\($0)", to: bench.identity) }
        let conversation = bob.conversation(with: bench.identity)
        bench.received(bob.events(conversation, [events[0]]), on: 1)
        _ = bench.takeFrames(on: 1)
        bench.received(bob.events(conversation, [events[2]]), on: 1)
        guard case .clock(let clock) = bench.takeFrames(on: 1).first else {
            throw EngineBench.Unexpected(what: "no clock")
        }
        #expect(clock.entries.map(\.sequence) == [1])
        #expect(bench.closed.isEmpty)
        bench.received(bob.events(conversation, events[1...]), on: 1)
        #expect(bench.disk.history(of: conversation).map(\.text) == ["1", "2", "3"])
    }

    /// A peer that writes two events at one position has two branches: both are kept, and the proof is passed on.
    @Test func aForkBecomesTwoBranches() throws {
        var bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        let conversation = bob.conversation(with: bench.identity)
        let first = bob.write("one way", to: bench.identity)
        var other = try RemotePeer()
        let another = other.write("another", to: bench.identity)
        let second = other.write("way", to: bench.identity)
        bench.received(bob.events(conversation, [first]), on: 1)
        bench.received(bob.events(conversation, [second]), on: 1)
        let wants = bench.takeFrames(on: 1).compactMap { if case .want(let want) = $0 { want } else { nil } }
        #expect(wants.map(\.after) == [0])
        bench.received(bob.events(conversation, [another, second]), on: 1)
        #expect(bench.closed.isEmpty)
        let lines = bench.disk.history(of: conversation)
        #expect(lines.filter { $0.note == .forked }.count == 1)
        #expect(Set(lines.filter { $0.note == nil }.map(\.text)) == ["one way", "another", "way"])
        let forks = bench.takeFrames(on: 1).compactMap { if case .fork(let fork) = $0 { fork } else { nil } }
        #expect(forks.map(\.branches.count) == [2])
    }

    @Test func aReadMarkMustBeSignedAndWithinTheLog() throws {
        let bob = try RemotePeer()
        var twin = try RemotePeer(1, replica: 0x41)
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        _ = try bench.ask(.send(who: "Bob", text: "hello"))
        let first = try #require(bench.batches.flatMap(\.events).last)
        let other = twin.write("1", to: bob.identity)
        let second = twin.write("2", to: bob.identity)
        bench.received(bob.readMark(other), on: 1)
        #expect(
            try bench.view(of: bob.identity).delivery.logs.map(\.read.sequence) == [0],
            "another event stands there"
        )
        bench.received(bob.readMark(second), on: 1)
        #expect(try bench.view(of: bob.identity).delivery.logs.map(\.read.sequence) == [0], "there is no second one")
        bench.received(bob.readMark(first), on: 1)
        #expect(try bench.view(of: bob.identity).delivery.logs.map(\.read.sequence) == [1])
        bench.received(bob.readMark(first, by: twin.key), on: 1)
        #expect(bench.closed.isEmpty, "what changes nothing costs no check of a signature")
        bench.received(bob.readMark(second, by: twin.key), on: 1)
        #expect(bench.closed == [LinkID(1)])
    }

    /// A clock entry beyond what exists counts for nothing: it comes from a store that was rolled back, or is a lie.
    @Test func aClockMayClaimTooMuch() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        _ = try bench.ask(.send(who: "Bob", text: "hello"))
        let own = LogID(author: bench.identity, replica: EngineBench.ownReplica)
        let claim = Clock(entries: [
            own: Clock.Entry(position: LogPosition(sequence: 1_000, head: EventID(value: .zero)))
        ])
        bench.received(bob.have(bob.conversation(with: bench.identity), claim), on: 1)
        #expect(try bench.view(of: bob.identity).delivery.logs.map(\.delivered.sequence) == [0])
    }

    /// A claim with the greatest number must not cause a trap when the node writes on.
    @Test func theGreatestClaimOfAllIsNoTrap() async {
        await #expect(processExitsWith: .success) {
            let bob = try RemotePeer()
            var bench = try EngineBench(peers: [bob.record()])
            let own = LogID(author: bench.identity, replica: EngineBench.ownReplica)
            let entry = Clock.Entry(position: LogPosition(sequence: .max, head: EventID(value: .zero)))
            bench.open(1, with: bob, theirs: Clock(entries: [own: entry]))
            _ = try bench.ask(.send(who: "Bob", text: "hello"))
            _ = try bench.ask(.send(who: "Bob", text: "again"))
        }
    }

    @Test func whatIsMalformedCostsTheLink() throws {
        var clock = WireClock()
        var events = WireEvents()
        var summary = WireSummary()
        var request = WireContactRequest()
        var answer = WireContactAnswer()
        clock.conversation = Data(count: 31)
        events.conversation = Data(count: 32)
        summary.entries = [WireSummary.Entry()]
        request.event = Data(count: 31)
        answer.accepted = true
        let frames: [WireFrame.OneOf_Kind] = [
            .clock(clock), .summary(summary), .contactRequest(request), .contactAnswer(answer),
            .watermarks(WireWatermarks()), .events(WireEvents()),
        ]
        for frame in frames {
            let bob = try RemotePeer()
            var bench = try EngineBench(peers: [bob.record()])
            bench.opened(1, with: bob)
            bench.received(bob.hello(), on: 1)
            bench.received(frame, on: 1)
            #expect(bench.closed == [LinkID(1)], "\(frame)")
        }
    }

    /// A peer that has sent part of a log that another replica writes can ask for the rest.
    @Test func whoSentAPartOfALogCanHaveTheRest() throws {
        var older = try RemotePeer(2, replica: 0x60)
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: older)
        let events = (1...3).map { older.write("\($0)", to: bench.identity) }
        let conversation = bob.conversation(with: bench.identity)
        bench.received(older.events(conversation, events), on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
        bench.opened(2, with: bob)
        bench.received(bob.hello(), on: 2)
        bench.received(bob.summary(of: [(conversation, Clock())]), on: 2)
        bench.received(bob.clock(conversation, Clock()), on: 2)
        bench.received(bob.events(conversation, [events[0]]), on: 2)
        bench.received(bob.want(conversation, older.logID, after: 1), on: 2)
        let sent = bench.takeFrames(on: 2).compactMap { if case .events(let events) = $0 { events } else { nil } }
        let numbers = sent.flatMap(\.events).compactMap { try? EventHeader(decoding: [UInt8]($0.header)).sequence }
        #expect(numbers == [2, 3])
    }
}
