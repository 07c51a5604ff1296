import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// Texts that a node removes because of their age, and what the others make of that (events.md, "Removed by age").
@Suite struct RetentionTests {
    private static let hour: Int64 = 3_600_000

    private static func texts(_ world: SimulatedWorld, _ node: Int, _ group: ConversationID) -> [String] {
        GroupTests.texts(world, node, group)
    }

    private static func retain(_ milliseconds: Int64?, _ world: SimulatedWorld, _ node: Int) throws {
        let id = world.give(.setPreference(who: "Bridge", .retain(milliseconds: milliseconds)), to: node)
        world.run(for: 1_000)
        guard case .success(.preference(_, let preference)) = world.nodes[node].answers[id] else {
            throw EngineBench.Unexpected(what: "no preference")
        }
        #expect(preference.retention == milliseconds)
    }

    /// Counts requests for bodies.
    private final class Counter: WorldObserver {
        private(set) var asked = 0

        func started(_ node: Int) {}
        func ended(_ node: Int) {}
        func told(_ input: Input, _ node: Int) {}
        func decided(_ effect: Effect, _ node: Int) {
            if case .send(_, let frame) = effect, case .bodiesWanted = frame.kind { asked += 1 }
        }
        func synced(_ batch: PersistBatch, _ node: Int) {}
        func happened(_ what: @autoclosure () -> String, kind: String) {}
        func violated(_ what: String) {}
    }

    /// Nodes 0 to 2 in a group; node 0 has written "old 1" and "old 2", node 1 "old 3"; all are delivered.
    private func world() throws -> (SimulatedWorld, ConversationID) {
        let (world, group) = try GroupTests.world(3)
        for (node, text) in [(0, "old 1"), (0, "old 2"), (1, "old 3")] {
            world.give(.send(who: "Bridge", text: text), to: node)
            world.run(for: 2_000)
        }
        return (world, group)
    }

    @Test func whatIsOldGoesHereAndStaysElsewhere() throws {
        let (world, group) = try world()
        for node in 0..<3 { world.give(.read(who: "Bridge"), to: node) }
        world.run(for: 3 * Self.hour)
        world.give(.send(who: "Bridge", text: "new"), to: 1)
        world.run(for: 2_000)
        world.give(.read(who: "Bridge"), to: 0)
        world.run(for: 2_000)
        try Self.retain(2 * Self.hour, world, 0)
        world.run(for: 5_000)
        #expect(Self.texts(world, 0, group) == ["new"])
        for node in 1..<3 { #expect(Self.texts(world, node, group) == ["old 1", "old 2", "old 3", "new"]) }
        // It goes on after a restart, even if the node does not run for long.
        world.crash(0)
        world.run(for: 4 * Self.hour)
        world.start(0)
        world.run(for: Limits.retentionDelayMilliseconds - 1)
        #expect(Self.texts(world, 0, group) == ["new"])
        world.run(for: 1_000)
        #expect(Self.texts(world, 0, group).isEmpty)
        #expect(Self.texts(world, 1, group).count == 4)
        // What is written from now on is delivered as ever.
        world.give(.send(who: "Bridge", text: "after"), to: 0)
        world.run(for: 5_000)
        let view = try world.deliveries(of: 0).first { $0.conversation == group }
        #expect(view?.recipients.allSatisfy { $0.reason == nil } == true)
        try Self.retain(nil, world, 0)
        world.run(for: 9 * Self.hour)
        #expect(Self.texts(world, 0, group) == ["after"])
    }

    @Test func muchGoesInSeveralBatches() throws {
        let (world, group) = try GroupTests.world(2)
        for number in 0..<(Limits.retentionPerBatch + 100) {
            world.give(.send(who: "Bridge", text: "\(number)"), to: 0)
        }
        world.run(for: 2 * Self.hour)
        try Self.retain(Self.hour, world, 0)
        world.run(for: Limits.retentionPauseMilliseconds + 1_000)
        #expect(Self.texts(world, 0, group).isEmpty)
        #expect(Self.texts(world, 1, group).count == Limits.retentionPerBatch + 100)
    }

    @Test func whatIsUnreadOrWaitsStays() throws {
        let (world, group) = try world()
        // Node 2 is away: what node 0 writes now has not reached everybody.
        world.crash(2)
        world.give(.send(who: "Bridge", text: "for all"), to: 0)
        try Self.retain(Self.hour, world, 0)
        world.run(for: 5 * Self.hour)
        #expect(Self.texts(world, 0, group) == ["old 3", "for all"], "nobody has read 'old 3' here")
        world.give(.read(who: "Bridge"), to: 0)
        world.run(for: 2 * Self.hour)
        #expect(Self.texts(world, 0, group) == ["for all"])
        world.start(2)
        world.run(for: 2 * Self.hour)
        #expect(Self.texts(world, 0, group).isEmpty)
        #expect(Self.texts(world, 2, group) == ["old 1", "old 2", "old 3", "for all"])
    }

    /// Somebody who was away gets from another member what one has removed, and is asked for nothing for ever.
    @Test func whatOneHasRemovedComesFromAnother() throws {
        let (world, group) = try world()
        for node in 0..<3 { world.give(.read(who: "Bridge"), to: node) }
        world.run(for: 2 * Self.hour)
        try Self.retain(Self.hour, world, 0)
        world.run(for: 5_000)
        #expect(Self.texts(world, 0, group).isEmpty)
        // Node 2 loses its disk, and only node 0 is here.
        world.crash(1)
        world.crash(2)
        world.restore(2)
        world.start(2)
        world.run(for: 10_000)
        for node in 0..<2 { world.give(.accept(who: world.nodes[node].identity.grouped), to: 2) }
        world.run(for: 60_000)
        #expect(world.nodes[2].disk.logs(of: group).count == 2, "the events are here, without texts")
        #expect(Self.texts(world, 2, group).isEmpty)
        let counter = Counter()
        world.observer = counter
        world.run(for: 10 * 60_000)
        #expect(counter.asked == 0, "nobody here has them")
        // Its own messages count as delivered there: nobody can be expected to have what their author has removed.
        let view = try #require(try world.deliveries(of: 0).first { $0.conversation == group })
        let place = try #require(view.recipients.firstIndex { $0.peer == world.nodes[2].identity })
        #expect(view.recipients[place].reason == nil)
        world.start(1)
        world.run(for: 60_000)
        #expect(Self.texts(world, 2, group) == ["old 1", "old 2", "old 3"])
    }

    /// The edit of an old message is as young as it is.
    @Test func anEditOfAnOldMessageIsStillDelivered() throws {
        let (world, group) = try world()
        let first = try #require(world.nodes[0].disk.history(of: group).first { $0.text == "old 1" })
        world.crash(2)
        world.run(for: 2 * Self.hour)
        world.give(.edit(MessageReference(conversation: group, event: first.reference), text: "edited"), to: 0)
        world.run(for: 1_000)
        try Self.retain(Self.hour, world, 0)
        world.run(for: 30_000)
        #expect(Self.texts(world, 0, group) == ["old 3"], "it goes, though its edit is new")
        world.start(2)
        world.run(for: 30_000)
        for node in 1..<3 { #expect(Self.texts(world, node, group) == ["edited", "old 2", "old 3"]) }
        world.give(.send(who: "Bridge", text: "later"), to: 0)
        world.run(for: 10_000)
        let view = try #require(try world.deliveries(of: 0).first { $0.conversation == group })
        #expect(view.recipients.allSatisfy { $0.reason == nil })
        world.give(.read(who: "Bridge"), to: 2)
        world.run(for: 10_000)
        let own = try #require(try world.deliveries(of: 0).first { $0.conversation == group }?.logs.first)
        #expect(
            own.progress.contains {
                $0.read.sequence == world.nodes[0].disk.position(of: LogKey(group, own.log)).sequence
            }
        )
    }

    /// Somebody who gets a log whose beginning its author has removed, more than a clock can name, sees and removes the rest
    /// like everybody.
    @Test func aNewcomerIsNotHeldBackByWhatTheAuthorRemoved() throws {
        let (world, group) = try GroupTests.world(2)
        for number in 0..<(Limits.missingTold + 50) { world.give(.send(who: "Bridge", text: "\(number)"), to: 0) }
        world.run(for: 2 * Self.hour)
        try Self.retain(Self.hour, world, 0)
        world.run(for: 10_000)
        #expect(Self.texts(world, 0, group).isEmpty)
        world.crash(1)
        world.restore(1)
        world.start(1)
        world.run(for: 10_000)
        world.give(.accept(who: world.nodes[0].identity.grouped), to: 1)
        world.run(for: 30_000)
        world.give(.send(who: "Bridge", text: "new"), to: 0)
        world.run(for: 10_000)
        #expect(Self.texts(world, 1, group) == ["new"])
        let view = try #require(try world.deliveries(of: 0).first { $0.conversation == group })
        #expect(view.recipients.map(\.reason) == [nil])
        // Its own limit works too.
        world.give(.read(who: "Bridge"), to: 1)
        world.run(for: 2 * Self.hour)
        try Self.retain(Self.hour, world, 1)
        world.run(for: 10_000)
        #expect(Self.texts(world, 1, group).isEmpty)
    }

    /// The same if the author has gone on under a new replica since: no replica writes its earlier log any more.
    @Test func aNewcomerIsNotHeldBackByWhatAnEarlierReplicaRemoved() throws {
        let (world, group) = try GroupTests.world(2)
        for number in 0..<(Limits.missingTold + 50) { world.give(.send(who: "Bridge", text: "\(number)"), to: 0) }
        world.run(for: 2 * Self.hour)
        try Self.retain(Self.hour, world, 0)
        world.run(for: 10_000)
        #expect(Self.texts(world, 0, group).isEmpty)
        // Node 1 loses its disk; what is written now has never been with it.
        world.crash(1)
        world.restore(1)
        world.give(.send(who: "Bridge", text: "kept"), to: 0)
        world.run(for: 5_000)
        let old = LogKey(group, LogID(author: world.nodes[0].identity, replica: world.nodes[0].replica))
        world.backUp(0)
        world.crash(0)
        world.restore(0)
        world.start(0)
        world.start(1)
        world.run(for: 10_000)
        world.give(.accept(who: world.nodes[0].identity.grouped), to: 1)
        world.run(for: 60_000)
        world.give(.send(who: "Bridge", text: "new"), to: 0)
        world.run(for: 60_000)
        try #require(world.nodes[0].replica != old.log.replica)
        for node in 0...1 { #expect(Self.texts(world, node, group) == ["kept", "new"]) }
        let end = world.nodes[0].disk.position(of: old).sequence
        #expect(try progress(world, old)?.delivered.sequence == end)
        // What is read there counts as read, and its own limit works too.
        world.give(.read(who: "Bridge"), to: 1)
        world.run(for: 10_000)
        #expect(try progress(world, old)?.read.sequence == end)
        world.run(for: 2 * Self.hour)
        try Self.retain(Self.hour, world, 1)
        world.run(for: 10_000)
        #expect(Self.texts(world, 1, group).isEmpty)
    }

    /// What node 0 knows of the progress of one of its logs at the only other member.
    private func progress(_ world: SimulatedWorld, _ key: LogKey) throws -> DeliveryView.LogDelivery.Progress? {
        let view = try world.deliveries(of: 0).first { $0.conversation == key.conversation }
        return view?.logs.first { $0.log == key.log }?.progress.first
    }

    /// Who was removed from a group keeps what nobody has got: others may still be waiting for it.
    @Test func whatNobodyHasGotStaysAfterARemoval() throws {
        let (world, group) = try GroupTests.world(3)
        world.partition([0, 1, 1], .cut, until: 0)
        world.give(.send(who: "Bridge", text: "alone"), to: 0)
        try Self.retain(Self.hour, world, 0)
        world.run(for: 60_000)
        world.crash(0)
        world.give(.changeGroup(who: "Bridge", .leave), to: 1)
        world.run(for: 3 * Self.hour)
        world.start(0)
        world.give(.changeGroup(who: "Bridge", .leave), to: 0)
        world.run(for: 2 * Self.hour)
        #expect(Self.texts(world, 0, group) == ["alone"])
    }

    @Test(arguments: [0, Limits.leastRetentionMilliseconds - 1, Limits.retentionMilliseconds + 1, .max])
    func anImpossibleLengthIsRefused(milliseconds: Int64) throws {
        let (world, _) = try GroupTests.world(2)
        let id = world.give(.setPreference(who: "Bridge", .retain(milliseconds: milliseconds)), to: 0)
        world.run(for: 100)
        #expect(world.nodes[0].answers[id] == .failure(.retentionLength))
    }

    // Clocks.

    private func entry(_ sequence: UInt64, missing: [UInt64] = [], floor: UInt64 = 0) -> Clock.Entry {
        Clock.Entry(
            position: LogPosition(sequence: sequence, head: EventID(value: Bytes32(hashing: [1], domain: 0))),
            missing: missing,
            floor: floor
        )
    }

    @Test func whatItsAuthorRemovedIsNotExpected() {
        let told = entry(10, missing: [1, 2, 3, 7])
        #expect(told.completeThrough(besides: entry(10)) == 0)
        #expect(told.completeThrough(besides: entry(10, floor: 3)) == 6)
        #expect(told.completeThrough(besides: entry(10, missing: [7], floor: 3)) == 10)
        #expect(entry(10, floor: 4).completeThrough() == 10)
    }

    /// A peer names only the first bodies that it lacks: behind them nothing is known.
    @Test func aFullListOfMissingTextsEndsWhatIsDelivered() {
        let missing = (1...UInt64(Limits.missingTold)).map { $0 }
        #expect(entry(1_000, missing: missing).toldCompleteThrough(besides: entry(1_000, floor: 900)) == missing.last)
        let short = Array(missing.dropLast())
        #expect(entry(1_000, missing: short).toldCompleteThrough(besides: entry(1_000, floor: 900)) == 1_000)
    }

    @Test func aFloorTravelsAndChangesTheHash() throws {
        let log = try RemotePeer().logID
        let clock = Clock(entries: [log: entry(10, missing: [9], floor: 4)])
        #expect(try Clock(decoding: clock.wire) == clock)
        let other = Clock(entries: [log: entry(10, missing: [9], floor: 5)])
        #expect(Set([clock.hash, other.hash, Clock(entries: [log: entry(10, missing: [9])]).hash]).count == 3)
        var wire = clock.wire
        wire[0].floor = 11
        #expect(throws: WireError.self) { try Clock(decoding: wire) }
    }
}
