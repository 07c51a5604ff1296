import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// Receipts for events of an author that is away.
@Suite struct ReceiptTests {
    /// The watermarks in the frames that were sent on a link.
    private func marks(_ bench: inout EngineBench, on link: UInt64) -> [WireWatermark] {
        bench.takeFrames(on: link).flatMap { kind -> [WireWatermark] in
            if case .watermarks(let marks) = kind { marks.entries } else { [] }
        }
    }

    /// An event without its text is not acknowledged until the text has arrived.
    @Test func aReceiptWaitsForBodies() throws {
        let bob = try RemotePeer()
        var cleo = try RemotePeer(3)
        var bench = try EngineBench(peers: [bob.record(), cleo.record(name: "Cleo")])
        let nonce = [UInt8](repeating: 7, count: 16)
        let who = [bob.identity.grouped, cleo.identity.grouped]
        guard case .success(.group(let view)) = try bench.ask(.createGroup(title: "Trio", who: who, nonce: nonce))
        else { throw EngineBench.Unexpected(what: "no group") }
        let group = view.conversation
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        bench.received(bob.summary(of: [(group, Clock())]), on: 1)
        bench.received(bob.clock(group, Clock()), on: 1)
        let event = cleo.write("hello", to: bench.identity, in: group)
        var bare = event
        bare.body = nil
        bench.received(bob.events(group, [bare]), on: 1)
        bench.pass(3_000)
        #expect(marks(&bench, on: 1).isEmpty)

        var entry = WireBodies.Entry()
        entry.sequence = 1
        entry.body = Data(try #require(event.body))
        var bodies = WireBodies()
        bodies.conversation = Data(group.bytes)
        bodies.log = cleo.logID.wire
        bodies.entries = [entry]
        bench.received(.bodies(bodies), on: 1)
        bench.pass(3_000)
        let said = marks(&bench, on: 1)
        #expect(said.map(\.sequence) == [1] && said.first?.head == Data(event.id.bytes))
    }

    /// A link that opens while a read watermark is being written is told of it only once it is on disk: a crash would
    /// take it back.
    @Test func aReadMarkIsToldOnceItIsDurable() throws {
        var bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        let event = bob.write("hello", to: bench.identity)
        bench.received(bob.events(event.header.conversation, [event]), on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
        bench.diskWaits = true
        bench.give(.read(who: "Bob"))
        bench.open(2, with: bob)
        #expect(marks(&bench, on: 2).isEmpty)
        bench.diskWaits = false
        bench.settle()
        #expect(marks(&bench, on: 2).map(\.sequence) == [1])
    }

    // Where receipts go, and when.

    /// If the author is away, receipts go to the members whose IDs follow the author's, continuing with the smallest
    /// after the greatest.
    @Test(arguments: [Limits.carriers, Limits.carriers + 2], [0, 3]) func aFewCarryReceipts(_ here: Int, author: Int)
        throws
    {
        var crew = try GroupBench(6)
        let order = crew.peers.indices.sorted { crew.peers[$0].identity < crew.peers[$1].identity }
        let others = Array((order + order).drop { $0 != order[author] }.dropFirst().prefix(5))
        // If only some members are linked, those nearest to the author are away.
        let linked = Array(others.suffix(here))
        for peer in linked { crew.open(peer) }
        crew.send([crew.write("hello", by: order[author])], by: linked[0])
        crew.bench.pass(Limits.receiptDelayMilliseconds)
        #expect(crew.take(\.asWatermarks).keys.sorted() == linked.prefix(Limits.carriers).sorted())
    }

    @Test func receiptsAreGathered() throws {
        var crew = try GroupBench(3)
        crew.open(0)
        crew.send([crew.write("one", by: 2)], by: 0)
        crew.bench.pass(Limits.receiptDelayMilliseconds - 1)
        crew.send([crew.write("two", by: 2)], by: 0)
        #expect(crew.take(\.asWatermarks).isEmpty)
        crew.bench.pass(1)
        #expect(crew.take(\.asWatermarks)[0]?.flatMap(\.entries).map(\.sequence) == [2])
        // If nobody is linked, receipts wait for the first link and for the usual delay.
        crew.send([crew.write("three", by: 2)], by: 0)
        crew.close(0)
        crew.bench.pass(10_000)
        crew.open(1)
        crew.bench.pass(Limits.receiptDelayMilliseconds - 1)
        #expect(crew.take(\.asWatermarks).isEmpty)
        crew.bench.pass(1)
        #expect(crew.take(\.asWatermarks)[1]?.flatMap(\.entries).map(\.sequence) == [3])
    }

    /// What several members have read goes to the author in one frame, and only what is on disk.
    @Test func marksOfOthersAreGathered() throws {
        var crew = try GroupBench(4)
        let event = crew.write("hello", by: 3)
        for peer in [0, 1, 3] { crew.open(peer) }
        crew.send([event], by: 3)
        _ = crew.take(\.asWatermarks)
        crew.bench.received(crew.peers[0].marks([crew.peers[0].mark(event)], in: crew.group), on: 0)
        crew.bench.pass(Limits.handOnDelayMilliseconds - 1)
        crew.bench.diskWaits = true
        crew.bench.received(crew.peers[1].marks([crew.peers[1].mark(event)], in: crew.group), on: 1)
        #expect(crew.take(\.asWatermarks).isEmpty)
        crew.bench.pass(1)
        #expect(crew.take(\.asWatermarks)[3]?.flatMap(\.entries).count == 1)
        crew.bench.diskWaits = false
        crew.bench.settle()
        #expect(crew.take(\.asWatermarks)[3]?.flatMap(\.entries).count == 1)
        // All together if the disk is done in time.
        crew.bench.received(crew.peers[0].marks([crew.peers[2].mark(event)], in: crew.group), on: 0)
        crew.bench.received(crew.peers[0].marks([crew.peers[0].mark(event, level: .delivered)], in: crew.group), on: 0)
        crew.bench.pass(Limits.handOnDelayMilliseconds)
        #expect(crew.take(\.asWatermarks)[3]?.map(\.entries.count) == [2])
    }

    /// What several members have told about a local message is shown together.
    @Test func statusesAreGathered() throws {
        var crew = try GroupBench(2)
        for peer in crew.peers.indices { crew.open(peer) }
        crew.bench.pass(1_000)
        _ = try crew.bench.ask(.send(who: "Crew", text: "hello"))
        let event = try #require(crew.bench.batches.flatMap(\.events).last)
        func shown() -> [DeliveryView] {
            crew.bench.takeEffects().compactMap { if case .notify(.delivery(let view)) = $0 { view } else { nil } }
        }
        _ = shown()
        crew.tellHave(event, by: 0)
        crew.bench.pass(Limits.offerDelayMilliseconds - 1)
        crew.tellHave(event, by: 1)
        #expect(shown().isEmpty)
        crew.bench.pass(1)
        #expect(shown().map { $0.reach(of: event.header.sequence, in: event.log).delivered.count } == [2])
    }

    // How many are kept and sent.

    /// A group in which all members but the first two have read what the second wrote, each with a given number of
    /// replicas.
    private func crowd(_ count: Int) throws -> (crew: GroupBench, event: StoredEvent, marks: [WireWatermark]) {
        let copies = 2 * Limits.copiesPerMember
        var crew = try GroupBench(2 + (count + copies - 1) / copies)
        let event = crew.write("hello", by: 1)
        let marks = (0..<count).map { number in
            var reader = crew.peers[2 + number / copies]
            let copy = number % copies
            reader.replica = EngineBench.replica(UInt8(copy / 2))
            return reader.mark(event, level: copy % 2 == 0 ? .read : .delivered)
        }
        return (crew, event, marks)
    }

    /// How many watermarks are in each frame that the author of an event gets on a new link.
    private func told(_ crew: inout GroupBench, about event: StoredEvent) -> [Int] {
        crew.bench.opened(1, with: crew.peers[1])
        crew.bench.received(crew.peers[1].hello(), on: 1)
        let theirs = Clock(entries: [event.header.log: Clock.Entry(position: event.position)])
        crew.bench.received(crew.peers[1].clock(crew.group, theirs), on: 1)
        return crew.take(\.asWatermarks)[1]?.map(\.entries.count) ?? []
    }

    @Test(arguments: [0, 1]) func marksAreSentInFramesThatAreNotTooLarge(_ over: Int) throws {
        var (crew, event, marks) = try crowd(Limits.marksPerFrame + over)
        crew.open(0)
        crew.send([event], by: 0)
        crew.bench.received(crew.peers[0].marks(marks, in: crew.group), on: 0)
        #expect(told(&crew, about: event) == [Limits.marksPerFrame] + (over == 0 ? [] : [over]))
    }

    /// A limited number of watermarks wait for the event that they are about.
    @Test(arguments: [0, 1]) func soManyMarksWaitForWhatTheyAreAbout(_ over: Int) throws {
        var (crew, event, marks) = try crowd(Limits.marksPerFrame + over)
        crew.open(0)
        crew.bench.received(crew.peers[0].marks(marks, in: crew.group), on: 0)
        crew.send([event], by: 0)
        #expect(told(&crew, about: event) == [Limits.marksPerFrame])
    }

    @Test(arguments: [false, true]) func soManyCopiesOfAMemberCount(ahead: Bool) throws {
        var crew = try GroupBench(3)
        let first = crew.write("first", by: 1)
        let second = crew.write("second", by: 1)
        func marks(_ event: StoredEvent, _ copies: ClosedRange<Int>) -> WireFrame.OneOf_Kind {
            var reader = crew.peers[2]
            let marks = copies.map { copy in
                reader.replica = EngineBench.replica(UInt8(copy))
                return reader.mark(event)
            }
            return reader.marks(marks, in: crew.group)
        }
        crew.open(0)
        if !ahead { crew.send([first], by: 0) }
        crew.bench.received(marks(first, 1...Limits.copiesPerMember + 1), on: 0)
        crew.send([first, second], by: 0)
        crew.bench.pass(Limits.lazyMilliseconds)
        #expect(crew.bench.disk.snapshot.watermarks.isEmpty == false)
        let held = { crew.bench.disk.snapshot.watermarks.map(\.position.sequence).sorted() }
        #expect(held() == Array(repeating: 1, count: Limits.copiesPerMember))
        // Watermarks that count go on rising.
        crew.bench.received(marks(second, 1...Limits.copiesPerMember + 1), on: 0)
        crew.bench.pass(Limits.lazyMilliseconds)
        #expect(held() == Array(repeating: 2, count: Limits.copiesPerMember))
    }
}
