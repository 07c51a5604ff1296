import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// A peer's claim about what it holds of local logs counts only once it has been compared with them (sync.md,
/// "Delivered and read").
@Suite struct ClaimTests {
    // A machine that was rolled back.

    /// Ada's machine is rolled back unnoticed, guard and all, to before the messages that Bob has read. She writes
    /// other messages while she is alone, starts again and meets Bob until the frame with the given number is lost;
    /// then Bob is away.
    private func rolledBack(meetingFor frames: Int) throws -> SimulatedWorld {
        let world = try SimulatedWorld(names: ["ada", "bob"], seed: 5)
        for node in 0...1 { world.start(node) }
        world.run(for: 5_000)
        world.give(.accept(who: "bob"), to: 0)
        world.give(.accept(who: "ada"), to: 1)
        world.run(for: 5_000)
        world.backUp(0)
        for number in 1...5 { world.give(.send(who: "bob", text: "known \(number)"), to: 0) }
        world.run(for: 5_000)
        world.give(.read(who: "ada"), to: 1)
        world.run(for: 5_000)
        world.crash(0)
        world.restore(0, isUnseen: true)
        world.partition([0, 1], .cut, until: 0)
        world.start(0)
        world.run(for: 1_000)
        for number in 1...7 { world.give(.send(who: "bob", text: "alone \(number)"), to: 0) }
        world.run(for: 2_000)
        world.crash(0)
        world.start(0)
        world.run(for: 1_000)
        world.network.heal()
        let last = world.framesDelivered + frames
        world.cutAtFrame = last
        world.run(until: { world.framesDelivered >= last }, within: 120_000)
        world.partition([0, 1], .cut, until: 0)
        world.run(for: 10_000)
        return world
    }

    /// The events that Ada shows as delivered to Bob and that are not on his disk.
    private func falselyShown(_ world: SimulatedWorld) throws -> [EventID] {
        let (ada, bob) = (world.nodes[0].disk, world.nodes[1].disk)
        var found: [EventID] = []
        for view in try world.deliveries(of: 0) {
            for log in view.logs {
                let through = log.progress.map { max($0.delivered.sequence, $0.read.sequence) }.max() ?? 0
                let request = ReadRequest(
                    conversation: view.conversation,
                    log: log.log,
                    from: 1,
                    through: through,
                    byteLimit: .max
                )
                for event in through > 0 ? ada.read(request) : [] {
                    let isThere = bob.logs(of: view.conversation).contains {
                        bob.holds(event.id, at: event.header.sequence, of: LogKey(view.conversation, $0))
                    }
                    if !isThere { found.append(event.id) }
                }
            }
        }
        return found
    }

    /// The link may end at any frame, and Ada starts once more.
    @Test(arguments: 1...24) func whatARolledBackNodeWroteAloneIsNotDelivered(frames: Int) throws {
        let world = try rolledBack(meetingFor: frames)
        #expect(try falselyShown(world).isEmpty)
        world.crash(0)
        world.start(0)
        world.run(for: 1_000)
        #expect(try falselyShown(world).isEmpty)
        // After some time Bob has everything, and Ada knows it.
        world.network.heal()
        world.run(for: 90_000)
        let conversation = ConversationID(direct: world.nodes[0].identity, world.nodes[1].identity)
        for node in 0...1 { #expect(world.nodes[node].disk.history(of: conversation).count(where: \.isText) == 12) }
        #expect(try falselyShown(world).isEmpty)
        let logs = try world.deliveries(of: 0).flatMap(\.logs)
        #expect(!logs.isEmpty)
        for log in logs {
            #expect(log.delivered == world.nodes[0].disk.position(of: LogKey(conversation, log.log)))
        }
    }

    // After a start.

    private static let written = 400

    /// A bench that wrote many messages to Bob and has started again.
    private func restarted() throws -> (bench: EngineBench, bob: RemotePeer, events: [StoredEvent]) {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        // The link makes the engine write the peer's row to disk.
        bench.opened(9, with: bob)
        bench.feed(.linkClosed(LinkID(9), .closed))
        bench.pass(1_000)
        bench.diskWaits = true
        for number in 1...Self.written { bench.give(.send(who: "Bob", text: "\(number)")) }
        bench.diskWaits = false
        bench.settle()
        let events = bench.batches.flatMap(\.events)
        bench.restart()
        return (bench, bob, events)
    }

    private func clock(_ event: StoredEvent, head: EventID? = nil) -> Clock {
        let position = LogPosition(sequence: event.header.sequence, head: head ?? event.id)
        return Clock(entries: [event.header.log: Clock.Entry(position: position)])
    }

    private func reach(_ bench: inout EngineBench, _ bob: RemotePeer) throws -> [UInt64] {
        let log = try #require(try bench.view(of: bob.identity).delivery.logs.first)
        return [log.delivered.sequence, log.read.sequence]
    }

    /// A true claim about an old event is compared with the log on disk, and counts.
    @Test(arguments: [1, 10, 200, 399, 400]) func anOldClaimThatIsSoCounts(sequence: Int) throws {
        var (bench, bob, events) = try restarted()
        #expect(events.count == Self.written)
        bench.open(1, with: bob, theirs: clock(events[sequence - 1]))
        #expect(try reach(&bench, bob) == [UInt64(sequence), 0])
        bench.received(bob.readMark(events[sequence - 1]), on: 1)
        #expect(try reach(&bench, bob) == [UInt64(sequence), UInt64(sequence)])
        #expect(bench.closed.isEmpty)
    }

    /// A claim with another event at that position counts for nothing: only a store that was rolled back has written
    /// such an event.
    @Test(arguments: [1, 10, 200, 399, 400]) func anOldClaimThatIsNotSoCountsForNothing(sequence: Int) throws {
        var (bench, bob, events) = try restarted()
        let other = events[sequence % Self.written].id
        bench.open(1, with: bob, theirs: clock(events[sequence - 1], head: other))
        var mark = bob.mark(events[sequence - 1])
        mark.head = Data(other.bytes)
        bench.received(
            bob.marks([bob.signed(mark, in: events[0].header.conversation)], in: events[0].header.conversation),
            on: 1
        )
        #expect(try reach(&bench, bob) == [0, 0])
        #expect(bench.closed.isEmpty)
    }

    /// At most one position is read at a time for each link and log; then the newest claim that has arrived since is
    /// read.
    @Test func oneReadForEachLinkAndLog() throws {
        var (bench, bob, events) = try restarted()
        bench.open(1, with: bob)
        bench.diskWaits = true
        let before = bench.reads.count
        for sequence in [10, 20, 30, 40] {
            bench.received(bob.have(events[0].header.conversation, clock(events[sequence - 1])), on: 1)
        }
        bench.diskWaits = false
        bench.settle()
        #expect(bench.reads.dropFirst(before).filter { $0.from == $0.through }.map(\.from) == [10, 40])
        #expect(try reach(&bench, bob) == [40, 0])
        // A position whose ID is in memory needs no read.
        let known = bench.reads.count
        bench.received(bob.readMark(events[39]), on: 1)
        bench.received(bob.have(events[0].header.conversation, clock(events[29])), on: 1)
        #expect(bench.reads.count == known)
        #expect(try reach(&bench, bob) == [40, 40])
    }

    /// A text that a deletion removed here can be given to nobody: once a peer has asked for it, what follows it is no
    /// longer held up. The peer need not know the deletion, which may stand in a branch that it is not given.
    @Test func aTextThatIsGoneHereIsExpectedOfNobody() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        for text in ["taken back", "said"] { _ = try bench.ask(.send(who: "Bob", text: text)) }
        let events = bench.batches.flatMap(\.events)
        let (first, last) = (try #require(events.first), try #require(events.last))
        let reference = EventReference(log: first.header.log, sequence: 1, id: first.id)
        let message = MessageReference(conversation: first.header.conversation, event: reference)
        _ = try bench.ask(.delete(message))
        let entry = Clock.Entry(position: last.position, missing: [1])
        bench.received(bob.have(first.header.conversation, Clock(entries: [first.header.log: entry])), on: 1)
        #expect(try reach(&bench, bob) == [0, 0])
        var wanted = WireBodiesWanted()
        wanted.conversation = Data(first.header.conversation.bytes)
        wanted.log = first.header.log.wire
        wanted.sequences = [2]
        bench.received(.bodiesWanted(wanted), on: 1)
        #expect(try reach(&bench, bob) == [0, 0])
        wanted.sequences = [1]
        bench.received(.bodiesWanted(wanted), on: 1)
        #expect(try reach(&bench, bob) == [2, 0])
    }

    /// If the disk returns nothing for an event that the log contains, the link ends and the next link tries again.
    @Test func aReadThatFailsEndsTheLink() throws {
        var (bench, bob, events) = try restarted()
        bench.open(1, with: bob, theirs: clock(events[399]))
        bench.readsFail = true
        bench.received(bob.readMark(events[9]), on: 1)
        #expect(bench.closed == [LinkID(1)])
        bench.feed(.linkClosed(LinkID(1), .closed))
        bench.readsFail = false
        bench.open(2, with: bob, theirs: clock(events[399]))
        bench.received(bob.readMark(events[9]), on: 2)
        #expect(try reach(&bench, bob) == [400, 10])
    }
}

extension ShownMessage {
    /// Whether a person wrote it; otherwise it is a line about the conversation.
    fileprivate var isText: Bool { note == nil }
}
