import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// How two sides find out what each lacks (sync.md), seen from one side.
@Suite struct SyncTests {
    private func kinds(_ frames: [WireFrame.OneOf_Kind]) -> [String] {
        frames.map { frame in String("\(frame)".prefix { $0 != "(" }) }
    }

    private func runs(_ frames: [WireFrame.OneOf_Kind]) -> [WireEvents] {
        frames.compactMap { if case .events(let events) = $0 { events } else { nil } }
    }

    private func sequences(_ runs: [WireEvents]) -> [UInt64] {
        runs.flatMap(\.events).compactMap { try? EventHeader(decoding: [UInt8]($0.header)).sequence }
    }

    private func clock(_ events: [StoredEvent]) -> Clock {
        guard let last = events.last else { return Clock() }
        return Clock(entries: [last.header.log: Clock.Entry(position: last.position)])
    }

    /// A bench that has met Bob and has written a number of messages that he lacks.
    private func waiting(_ count: Int, _ text: String = "x") throws -> (EngineBench, RemotePeer, [StoredEvent]) {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        for number in 0..<count { _ = try bench.ask(.send(who: "Bob", text: "\(text)\(number)")) }
        return (bench, bob, bench.batches.flatMap(\.events))
    }

    @Test func equalClocksNeedNoMoreFrames() throws {
        var (bench, bob, events) = try waiting(3)
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        _ = bench.takeFrames(on: 1)
        bench.received(bob.summary(of: [(bob.conversation(with: bench.identity), clock(events))]), on: 1)
        #expect(bench.takeFrames(on: 1).isEmpty)
        let delivery = try bench.view(of: bob.identity).delivery
        #expect(delivery.logs.map(\.delivered.sequence) == [3], "the equal hash says that all is there")
    }

    @Test func differentClocksAreToldWholeOnce() throws {
        var (bench, bob, events) = try waiting(3)
        let conversation = bob.conversation(with: bench.identity)
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        _ = bench.takeFrames(on: 1)
        bench.received(bob.summary(of: [(conversation, clock([events[0]]))]), on: 1)
        #expect(kinds(bench.takeFrames(on: 1)) == ["clock"], "nothing is pushed before its clock is known")
        bench.received(bob.clock(conversation, clock([events[0]])), on: 1)
        let frames = bench.takeFrames(on: 1)
        #expect(kinds(frames) == ["events"])
        #expect(sequences(runs(frames)) == [2, 3])
    }

    @Test func aClockIsAnsweredEvenIfItIsEqualByNow() throws {
        var (bench, bob, events) = try waiting(3)
        let conversation = bob.conversation(with: bench.identity)
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        bench.received(bob.summary(of: [(conversation, clock(events))]), on: 1)
        _ = bench.takeFrames(on: 1)
        bench.received(bob.clock(conversation, clock(events)), on: 1)
        #expect(kinds(bench.takeFrames(on: 1)) == ["clock"], "Bob found our summary to differ, and knows no more")
        bench.received(bob.clock(conversation, clock(events)), on: 1)
        #expect(bench.takeFrames(on: 1).isEmpty, "once is enough")
    }

    @Test func aLaterSummaryOpensEvenIfAllIsEqual() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        bench.received(bob.summary(of: []), on: 1)
        _ = bench.takeFrames(on: 1)
        bench.received(bob.summary(of: [(bob.conversation(with: bench.identity), Clock())]), on: 1)
        #expect(kinds(bench.takeFrames(on: 1)) == ["clock"])
    }

    @Test func aPeerThatLostItsDiskIsSentEverythingAgain() throws {
        var (bench, bob, events) = try waiting(3)
        bench.open(1, with: bob, theirs: clock(events))
        #expect(runs(bench.takeFrames(on: 1)).isEmpty)
        #expect(try bench.view(of: bob.identity).delivery.logs.map(\.delivered.sequence) == [3])
        bench.feed(.linkClosed(LinkID(1), .cutOff))
        bench.open(2, with: bob)
        #expect(sequences(runs(bench.takeFrames(on: 2))) == [1, 2, 3])
        let delivered = try bench.view(of: bob.identity).delivery.logs.map(\.delivered.sequence)
        #expect(delivered == [3], "a status does not go back")
    }

    @Test func notMoreThanAWindowIsOnTheWay() throws {
        var (bench, bob, events) = try waiting(40, String(repeating: "x", count: 60_000))
        let conversation = bob.conversation(with: bench.identity)
        bench.open(1, with: bob)
        var through = 0
        var rounds = 0
        while through < 40 {
            let found = sequences(runs(bench.takeFrames(on: 1)))
            try #require(!found.isEmpty)
            #expect(found == Array(UInt64(through + 1)...UInt64(through + found.count)), "in order, each once")
            let bytes = found.reduce(0) { $0 + events[Int($1) - 1].byteCount }
            #expect(bytes <= Limits.windowBytes + Limits.frameBytes)
            through += found.count
            rounds += 1
            bench.received(bob.have(conversation, clock([events[through - 1]])), on: 1)
        }
        #expect(rounds >= 2)
        #expect(try bench.view(of: bob.identity).delivery.logs.map(\.delivered.sequence) == [40])
    }

    /// A peer that asks again does not get sooner what is on its way; after 5 s it counts as lost.
    @Test func askingAgainBringsNothingSooner() throws {
        var (bench, bob, events) = try waiting(40, String(repeating: "x", count: 60_000))
        let want = bob.want(bob.conversation(with: bench.identity), events[0].header.log, after: 0)
        bench.open(1, with: bob)
        #expect(!runs(bench.takeFrames(on: 1)).isEmpty)
        bench.pass(Limits.healPatienceMilliseconds - 1)
        bench.received(want, on: 1)
        #expect(runs(bench.takeFrames(on: 1)).isEmpty)
        bench.pass(Limits.healPatienceMilliseconds)
        bench.received(want, on: 1)
        #expect(sequences(runs(bench.takeFrames(on: 1))).first == 1)
    }

    @Test func aMissingBodyHoldsBackDelivered() throws {
        var (bench, bob, events) = try waiting(3)
        let conversation = bob.conversation(with: bench.identity)
        var theirs = clock(events)
        theirs.entries[events[0].header.log]?.missing = [2]
        bench.open(1, with: bob, theirs: theirs)
        #expect(try bench.view(of: bob.identity).delivery.logs.map(\.delivered.sequence) == [1])
        bench.received(bob.have(conversation, clock(events)), on: 1)
        #expect(try bench.view(of: bob.identity).delivery.logs.map(\.delivered.sequence) == [3])
    }

    @Test func aMessageWithoutBodyIsToldAsMissingUntilItIsWithdrawn() throws {
        var bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        _ = bench.takeFrames(on: 1)
        var first = bob.write("gone", to: bench.identity)
        first.body = nil
        bench.received(bob.events(first.header.conversation, [first]), on: 1)
        guard case .have(let have) = bench.takeFrames(on: 1).first else {
            throw EngineBench.Unexpected(what: "no acknowledgement")
        }
        #expect(have.entries.map(\.missingBodies) == [[1]])
        let withdrawal = bob.withdraw(1, to: bench.identity)
        bench.received(bob.events(first.header.conversation, [withdrawal]), on: 1)
        guard case .have(let second) = bench.takeFrames(on: 1).first else {
            throw EngineBench.Unexpected(what: "no acknowledgement")
        }
        #expect(second.entries.map(\.missingBodies) == [[]])
        #expect(second.entries.map(\.sequence) == [2])
        #expect(bench.disk.history(of: first.header.conversation).isEmpty)
    }

    @Test func soManyBodiesAreAskedForAtOnce() throws {
        for (count, isTaken) in [(Limits.bodiesPerRequest, true), (Limits.bodiesPerRequest + 1, false)] {
            var (bench, bob, events) = try waiting(Limits.bodiesPerRequest + 1)
            bench.open(1, with: bob)
            bench.received(bob.have(bob.conversation(with: bench.identity), clock(events)), on: 1)
            _ = bench.takeFrames(on: 1)
            var wanted = WireBodiesWanted()
            wanted.conversation = Data(bob.conversation(with: bench.identity).bytes)
            wanted.log = try #require(events.first).header.log.wire
            wanted.sequences = (1...UInt64(count)).map { $0 }
            bench.received(.bodiesWanted(wanted), on: 1)
            #expect(bench.closed.isEmpty == isTaken)
            let sent = bench.takeFrames(on: 1).reduce(0) { sum, frame in
                if case .bodies(let bodies) = frame { sum + bodies.entries.count } else { sum }
            }
            #expect(sent == (isTaken ? count : 0))
        }
    }

    /// The logs of other authors are sent to peers that ask for them, and to nobody else.
    @Test func othersLogsAreGivenWhenAskedFor() throws {
        var older = try RemotePeer(2, replica: 0x60)
        let newer = try RemotePeer()
        var bench = try EngineBench(peers: [newer.record()])
        bench.open(1, with: older)
        let conversation = newer.conversation(with: bench.identity)
        let events = (1...2).map { older.write("\($0)", to: bench.identity) }
        bench.received(older.events(conversation, events), on: 1)
        #expect(runs(bench.takeFrames(on: 1)).isEmpty)
        bench.open(2, with: newer)
        #expect(runs(bench.takeFrames(on: 2)).isEmpty)
        bench.pass(5_000)
        #expect(runs(bench.takeFrames(on: 2)).isEmpty)
        bench.received(newer.want(conversation, older.logID, after: 0), on: 2)
        #expect(sequences(runs(bench.takeFrames(on: 2))) == [1, 2])
        bench.received(newer.want(conversation, older.logID, after: 1), on: 2)
        #expect(sequences(runs(bench.takeFrames(on: 2))) == [2])
        bench.received(newer.want(conversation, older.logID, after: 2), on: 2)
        #expect(runs(bench.takeFrames(on: 2)).isEmpty)
        #expect(runs(bench.takeFrames(on: 1)).isEmpty)
    }

    /// However many groups two people share, their lists fit into frames, and what follows the list waits for its end.
    @Test func manyGroupsAreListedInSeveralFrames() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        let count = 2 * Limits.summaryEntries
        for number in 0..<count {
            let nonce = withUnsafeBytes(of: UInt64(number).bigEndian) { [UInt8]($0) } + [UInt8](repeating: 7, count: 8)
            bench.give(.createGroup(title: "Group \(number)", who: ["Bob"], nonce: nonce))
        }
        bench.opened(1, with: bob)
        let lists = bench.takeFrames(on: 1).compactMap { if case .summary(let summary) = $0 { summary } else { nil } }
        #expect(lists.map(\.entries.count) == [Limits.summaryEntries, Limits.summaryEntries, 1])
        #expect(lists.map(\.more) == [true, true, false])
        #expect(Set(lists.flatMap(\.entries).map(\.conversation)).count == count + 1)
        let sizes = lists.map { $0.encodedBytes().count }
        #expect(sizes.allSatisfy { $0 < Limits.frameBytes / 2 }, "\(sizes)")
        bench.received(bob.hello(), on: 1)
        _ = bench.takeFrames(on: 1)
        // Bob lists what he was told, in two frames.
        let groups = lists.flatMap(\.entries).filter { !$0.membershipHash.isEmpty }
        for (part, more) in [(groups.prefix(1_000), true), (groups.dropFirst(1_000).dropLast(), false)] {
            var summary = WireSummary()
            summary.entries = Array(part)
            summary.more = more
            bench.received(.summary(summary), on: 1)
            let invited = bench.takeFrames(on: 1).compactMap {
                if case .invite(let invite) = $0 { invite } else { nil }
            }
            #expect(invited.map(\.conversation) == (more ? [] : [groups.last?.conversation]), "the one that Bob lacks")
        }
        #expect(bench.closed.isEmpty)
    }

    /// A stretch from head to head of the greatest length can be passed on like any other.
    @Test func whatIsTakenCanBePassedOn() throws {
        var older = try RemotePeer(2, replica: 0x60)
        let newer = try RemotePeer()
        var bench = try EngineBench(peers: [newer.record()])
        let conversation = newer.conversation(with: bench.identity)
        let text = String(repeating: "x", count: 64_900)
        let events = (1...4).map { older.write(text, to: bench.identity, isHead: $0 == 4) }
        let bytes = events.reduce(0) { $0 + $1.byteCount }
        bench.open(1, with: older)
        bench.received(older.events(conversation, events), on: 1)
        #expect(bytes <= Limits.runBytes)
        #expect(bench.disk.history(of: conversation).count == 4)
        bench.open(2, with: newer)
        bench.received(newer.want(conversation, older.logID, after: 0), on: 2)
        let sent = sequences(runs(bench.takeFrames(on: 2)))
        #expect(sent == [1, 2, 3, 4], "\(bytes) bytes")
    }

    /// Bytes that were on their way when the peer refused stop counting against the window.
    @Test func aRefusalGivesTheWindowBack() throws {
        var (bench, bob, _) = try waiting(40, String(repeating: "x", count: 60_000))
        let conversation = bob.conversation(with: bench.identity)
        bench.open(1, with: bob)
        _ = bench.takeFrames(on: 1)
        bench.received(bob.refuse(conversation, .notMember), on: 1)
        bench.received(bob.summary(of: [(conversation, Clock())]), on: 1)
        bench.received(bob.clock(conversation, Clock()), on: 1)
        let sent = runs(bench.takeFrames(on: 1))
        #expect(!sent.isEmpty)
    }

    /// After that, events that waited for room in the window are sent without another cause.
    @Test func aRefusalLetsOtherConversationsGoOn() throws {
        var crew = try GroupBench(1)
        let bob = crew.peers[0]
        let conversation = bob.conversation(with: crew.bench.identity)
        for _ in 0..<20 {
            _ = try crew.bench.ask(.send(who: bob.identity.grouped, text: String(repeating: "x", count: 60_000)))
        }
        crew.bench.opened(0, with: bob)
        crew.bench.received(bob.hello(), on: 0)
        let group = crew.group
        crew.bench.received(bob.summary(of: [(conversation, Clock()), (group, Clock())].sorted { $0.0 < $1.0 }), on: 0)
        crew.bench.received(bob.clock(conversation, Clock()), on: 0)
        crew.bench.received(bob.clock(group, Clock()), on: 0)
        func inGroup() -> Int {
            crew.bench.takeFrames(on: 0).count {
                if case .events(let run) = $0 { ConversationID(run.conversation) == group } else { false }
            }
        }
        #expect(inGroup() == 0, "the window is full")
        crew.bench.received(bob.refuse(conversation, .notMember), on: 0)
        #expect(inGroup() > 0)
    }

    /// After a refusal nothing more of the conversation is sent on that link, whatever the peer sends.
    @Test func afterARefusalNothingMoreIsSent() throws {
        var (bench, bob, _) = try waiting(1)
        let conversation = bob.conversation(with: bench.identity)
        bench.open(1, with: bob)
        _ = bench.takeFrames(on: 1)
        bench.received(bob.refuse(conversation, .notMember), on: 1)
        _ = try bench.ask(.send(who: "Bob", text: "more"))
        #expect(runs(bench.takeFrames(on: 1)).isEmpty)
        #expect(try bench.view(of: bob.identity).delivery.logs.map(\.refusedThrough) == [0], "no message failed by it")
    }

    @Test func whatWasReadWhileThePeerWasAwayIsToldWhenItIsBack() throws {
        var bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        let event = bob.write("hello", to: bench.identity)
        bench.received(bob.events(event.header.conversation, [event]), on: 1)
        bench.feed(.linkClosed(LinkID(1), .cutOff))
        _ = try bench.ask(.read(who: "Bob"))
        bench.open(2, with: bob)
        let marks = bench.takeFrames(on: 2).compactMap { frame -> WireWatermarks? in
            if case .watermarks(let watermarks) = frame { watermarks } else { nil }
        }
        #expect(marks.flatMap(\.entries).map(\.sequence) == [1])
    }
}
