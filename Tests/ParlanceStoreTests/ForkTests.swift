import ParlanceCore
import ParlanceRecords
import ParlanceStore
import ParlanceTestKit
import ParlanceWire
import Testing

/// After a fork each branch is a log of its own from the base on, whenever the fork becomes known.
@Suite struct ForkTests {
    /// Bob's log has two branches after "b1"; Ada answers and reacts in both.
    private struct Forked {
        let office: Office
        let left: LogWriter
        let right: LogWriter
        let records: [BranchRecord]
        let twins: Twins

        init(seed: UInt64) throws {
            var office = try Office(seed: seed)
            office.theirs.say("b1")
            var left = office.theirs
            var right = office.theirs
            left.say("left 2")
            left.say("left 3")
            right.time += 1 << 20
            right.say("right 2")
            right.say("right 3")
            right.edit(right.events[1].reference, "right 2, better")
            right.delete(right.events[2].reference)
            office.mine.say("to the left", after: [left.events[1].reference], to: left.events[1].reference)
            office.mine.react(to: right.events[1].reference, "👍", after: [right.events[1].reference])
            records = PartedLogs([left, right]).parts.compactMap(\.record)
            twins = try Twins(office.test, [office.conversation], note: "seed \(seed)")
            (self.office, self.left, self.right) = (office, left, right)
        }

        /// An event as it is kept once the fork is known.
        func kept(_ event: StoredEvent) -> StoredEvent {
            var event = event
            let isLeft = left.events.contains { $0.id == event.id }
            if event.header.log == office.theirs.log, event.header.sequence > 1 {
                event.branch = records.first { $0.first == (isLeft ? left : right).events[1].id }?.log
            }
            return event
        }

        func check() throws {
            try twins.compareThroughout()
            let lines = try twins.history(office.conversation.id).map(\.line)
            #expect(lines.filter { $0 == "* forked" }.count == 1)
            #expect(Set(lines).isSuperset(of: ["b1", "left 2", "left 3", "right 2, better 👍1", "(deleted)"]))
            #expect(lines.contains("to the left"))
            #expect(lines.count == 7)
        }
    }

    @Test(arguments: [false, true])
    func bothBranchesAreShownWhicheverIsHeldFirst(rightFirst: Bool) throws {
        let forked = try Forked(seed: 11)
        let held = rightFirst ? forked.right : forked.left
        let other = rightFirst ? forked.left : forked.right
        try forked.twins.persist { $0.events = held.events + forked.office.mine.events }
        try forked.twins.compare()
        let receipt = try forked.twins.persist {
            $0.branches = forked.records
            $0.events = other.events.dropFirst().map(forked.kept)
        }
        #expect(receipt.applied.count == 4)
        #expect(receipt.shown.contains { $0.note == .forked })
        #expect(receipt.withdrawn.isEmpty)
        #expect(!receipt.shown.contains { $0.line == "b1" })
        try forked.check()
    }

    @Test func proofThatComesBeforeTheEventsPartsThemAsTheyCome() throws {
        let forked = try Forked(seed: 12)
        try forked.twins.persist { $0.branches = forked.records }
        try forked.twins.persist { $0.events = forked.office.mine.events }
        let parted = forked.left.events.dropFirst() + forked.right.events.dropFirst()
        let receipt = try forked.twins.persist { $0.events = parted.map(forked.kept) }
        #expect(receipt.shown.isEmpty)
        try forked.twins.persist { $0.events = [forked.left.events[0]] }
        try forked.check()
    }

    @Test func forkBeforeTheFirstEventLeavesAnEmptyLog() throws {
        var office = try Office(seed: 13)
        var other = office.theirs
        office.theirs.say("one")
        other.time += 1
        other.say("other one")
        let records = PartedLogs([office.theirs, other]).parts.compactMap(\.record)
        let twins = try Twins(office.test, [office.conversation], note: "seed 13")
        try twins.persist { $0.events = office.theirs.events }
        let branch = try #require(records.first { $0.first == other.events[0].id }?.log)
        try twins.persist {
            $0.branches = records
            $0.events = other.events.map { event in
                var event = event
                event.branch = branch
                return event
            }
        }
        try twins.compareThroughout()
        #expect(try office.texts().count == 3)
        #expect(try office.test.store.snapshot().logs.count == 2)
    }

    /// A fork is shown when a second branch has an applied event, even if that event has no line of its own.
    @Test func aForkIsSeenThoughABranchBeginsWithALink() throws {
        var office = try Office(seed: 16)
        office.theirs.say("b1")
        var (left, right) = (office.theirs, office.theirs)
        left.say("left 2")
        right.time += 1 << 20
        right.append(.link, body: [])
        let records = PartedLogs([left, right]).parts.compactMap(\.record)
        let twins = try Twins(office.test, [office.conversation], note: "seed 16")
        try twins.persist { $0.events = left.events }
        try twins.persist { $0.branches = records }
        let branch = try #require(records.first { $0.first == right.events[1].id }?.log)
        let receipt = try twins.persist {
            $0.events = right.events.dropFirst().map { event in
                var event = event
                event.branch = branch
                return event
            }
        }
        #expect(receipt.shown.map(\.note) == [.forked])
        try twins.compareThroughout()
    }

    @Test func newReplicaInABatchBeginsAgain() throws {
        var office = try Office(seed: 14)
        office.theirs.say("one")
        _ = try office.test.store.beginEpoch()
        try office.test.persist(office.theirs.events)
        try office.test.name(office.theirs.log, through: 1, in: office.conversation.id)
        var batch = PersistBatch(id: BatchID(9))
        let replica = office.test.otherReplica
        batch.replica = replica
        _ = try office.test.store.persist(batch)
        #expect(office.test.store.replica == replica)
        // What the predecessor had named is kept, because an event that names the predecessor's log has named it too.
        #expect(try office.test.store.snapshot().logs.map(\.namedThrough) == [1])
        try office.test.reopen()
        #expect(office.test.store.replica == replica)
        #expect(try office.test.store.snapshot().logs.map(\.namedThrough) == [1])
        #expect(try office.test.store.beginEpoch() == 2)
    }

    @Test func theStoreSaysWhoBroughtAnEvent() throws {
        let forked = try Forked(seed: 15)
        var brought = forked.right.events[1]
        brought.via = forked.office.test.me
        try forked.twins.persist { $0.events = [forked.right.events[0], brought] }
        try forked.twins.persist { $0.branches = forked.records }
        let (store, id) = (forked.office.test.store, forked.office.conversation.id)
        #expect(try store.source(of: brought.reference, in: id) == forked.office.test.me)
        var kept = forked.kept(brought).reference
        #expect(try store.source(of: kept, in: id) == forked.office.test.me)
        kept = forked.right.events[0].reference
        #expect(try store.source(of: kept, in: id) == nil)
    }

    @Test(arguments: 1...24 as ClosedRange<UInt64>)
    func whateverTheOrderTheStoreSaysWhatTheRulesSay(seed: UInt64) throws {
        try run(seed: seed, forks: seed <= 4 ? 0 : 5)
    }

    private func run(seed: UInt64, forks: Int) throws {
        var random = SeededGenerator(seed: 7000 + seed)
        let test = try TestStore(&random)
        let scenario = Scenario(me: test.log, &random, events: 220, fabricates: false, forks: forks)
        let twins = try Twins(test, scenario.conversations, note: "seed \(seed)")
        var feed = ForkFeed(PartedLogs(scenario.writers))
        if random.chance(50) { try twins.persist { $0.membership = scenario.invitation } }
        while let (branches, events) = feed.next(&random) {
            let bodies = random.chance(20) ? scenario.bodies(of: twins.disk) : []
            let replica = random.chance(2) ? random.replica() : nil
            try twins.persist { batch in
                batch.branches = branches
                batch.events = scenario.lackingBodies(events, &random)
                batch.bodies = bodies
                batch.replica = replica
            }
            if !branches.isEmpty || random.chance(10) { try twins.compare() }
            if random.chance(4) { try test.reopen() }
        }
        try twins.compareThroughout()
    }
}
