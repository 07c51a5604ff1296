import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

@testable import ParlanceStore

/// Texts are removed because of their age (events.md, "Removed by age").
@Suite struct RetentionTests {
    /// The time of the first event of a `LogWriter`, in milliseconds; each event is one later.
    private static let start: Int64 = 1_760_000_000_000

    private static func batch(
        _ events: [StoredEvent] = [],
        _ retention: [RetainedLog] = []
    ) -> PersistBatch {
        var batch = PersistBatch(id: BatchID(1))
        (batch.events, batch.retention) = (events, retention)
        return batch
    }

    /// - Parameter age: events that are written before this many milliseconds after the start are old.
    private static func old(_ log: LogWriter, before age: Int64, through sequence: UInt64 = 1_000) -> RetainedLog {
        RetainedLog(conversation: log.conversation, log: log.log, age: 0, wall: start + age, through: sequence)
    }

    @Test func whatIsOldIsGoneFromTheDiskAndStaysGone() throws {
        var party = try Party(seed: 301)
        let test = party.test
        let texts = ["secret one", "secret two", "later three"]
        for text in texts { party.bob.say(text, after: [party.creation.reference]) }
        let answer = party.eve.say("answer", after: [try #require(party.bob.reference)], to: party.bob.reference(to: 1))
        try test.persist([party.creation] + party.bob.events + [answer])
        try test.index()

        let receipt = try test.store.persist(Self.batch([], [Self.old(party.bob, before: 3)]))
        #expect(receipt.withdrawn.isEmpty && receipt.missing.isEmpty)
        let floor = try #require(receipt.floors.first)
        #expect(floor.sequence == 2 && !floor.isCut && floor.removed == party.bob.events.prefix(2).map(\.id))
        // What the answer quoted is gone from it.
        #expect(receipt.changed.map(\.id) == [answer.id])
        for round in 0..<3 {
            #expect(try party.lines() == ["* created Party", "later three", "answer"], "round \(round)")
            #expect(try test.store.snapshot().logs.allSatisfy { $0.missingBodies.isEmpty })
            #expect(try test.store.snapshot().logs.first { $0.log == party.bob.log }?.floor == 2)
            #expect(try test.indexedWords("secret").isEmpty && !test.indexedWords("later").isEmpty)
            try test.store.rebuildProjections()
            try test.index()
            try test.reopen()
        }
        try test.store.maintain()
        #expect(try texts.map { try test.isOnDisk($0) } == [false, false, true])
        // Nobody can bring it back.
        let found = try party.fill(Array(party.bob.events.prefix(2)))
        #expect(found.shown.isEmpty && found.missing.isEmpty)
        #expect(try party.lines() == ["* created Party", "later three", "answer"])
    }

    @Test func theFloorStopsAtTheBoundAndAtAMissingText() throws {
        var party = try Party(seed: 302)
        for number in 1...6 { party.bob.say("text \(number)", after: [party.creation.reference]) }
        var events = party.bob.events
        events[3] = events[3].withoutBody
        try party.test.persist([party.creation] + events)
        let floors = try [2, 9].map { (bound: UInt64) in
            let batch = Self.batch([], [Self.old(party.bob, before: 100, through: bound)])
            return try party.test.store.persist(batch).floors.map(\.sequence)
        }
        #expect(floors == [[2], [3]])
        #expect(try party.lines() == ["* created Party", "text 5", "text 6"])
        _ = try party.fill([party.bob.events[3]])
        #expect(
            try party.test.store.persist(Self.batch([], [Self.old(party.bob, before: 100)])).floors.map(\.sequence) == [
                6
            ]
        )
    }

    /// An edit that went before its message would bring the older text back.
    @Test func anEditGoesAfterItsMessage() throws {
        var party = try Party(seed: 303)
        let message = party.bob.say("written so", after: [party.creation.reference])
        var other = LogWriter(party.group, LogID(author: party.bob.log.author, replica: party.eve.log.replica))
        let edit = other.edit(message.reference, "now otherwise", after: [message.reference])
        try party.test.persist([party.creation, message, edit])
        let late = RetainedLog(conversation: party.group, log: other.log, age: 0, wall: Self.start + 100, through: 9)
        #expect(try party.test.store.persist(Self.batch([], [late])).floors.isEmpty)
        #expect(try party.lines() == ["* created Party", "now otherwise"])
        let both = Self.batch([], [Self.old(party.bob, before: 100), late])
        #expect(try party.test.store.persist(both).floors.map(\.sequence) == [1, 1])
        #expect(try party.lines() == ["* created Party"])
        try party.test.store.maintain()
        #expect(try ["written so", "now otherwise"].map { try party.test.isOnDisk($0) } == [false, false])
    }

    @Test func aBatchRemovesSomeAndSaysSo() throws {
        var party = try Party(seed: 304)
        let count = Limits.retentionPerBatch + 10
        for number in 1...count { party.bob.say("\(number)", after: number == 1 ? [party.creation.reference] : []) }
        try party.test.persist([party.creation] + party.bob.events)
        let batch = Self.batch([], [Self.old(party.bob, before: .max / 4, through: .max)])
        let first = try #require(try party.test.store.persist(batch).floors.first)
        #expect(first.isCut && first.sequence == UInt64(Limits.retentionPerBatch))
        let second = try #require(try party.test.store.persist(batch).floors.first)
        #expect(!second.isCut && second.sequence == UInt64(count) && second.removed.count == 10)
        #expect(try party.test.store.persist(batch).floors.isEmpty)
    }

    /// On a full disk there is only the reserve for what the database writes before it removes something.
    @Test func aBatchRemovesFewLargeTexts() throws {
        var party = try Party(seed: 308)
        let length = 60_000
        for number in 1...10 {
            let text = String(repeating: "\(number) ", count: length / 2).prefix(length)
            party.bob.say(String(text), after: number == 1 ? [party.creation.reference] : [])
        }
        try party.test.persist([party.creation] + party.bob.events)
        let batch = Self.batch([], [Self.old(party.bob, before: .max / 4, through: .max)])
        let each = UInt64(Limits.retentionBytesPerBatch / length + 1)
        let first = try #require(try party.test.store.persist(batch).floors.first)
        #expect(first.isCut && first.sequence == each)
        let second = try #require(try party.test.store.persist(batch).floors.first)
        #expect(!second.isCut && second.sequence == 10)
    }

    /// What may not go yet is remembered, and goes when it may; what comes later stays.
    @Test func whatIsClearedGoesWhateverItsAge() throws {
        var party = try Party(seed: 307)
        for number in 1...4 { party.bob.say("text \(number)", after: [party.creation.reference]) }
        try party.test.persist([party.creation] + party.bob.events)
        func clear(through sequence: UInt64, of end: UInt64) throws -> [LogFloor] {
            let log = RetainedLog(
                conversation: party.group,
                log: party.bob.log,
                age: nil,
                cleared: end,
                wall: Self.start,
                through: sequence
            )
            return try party.test.store.persist(Self.batch([], [log])).floors
        }
        let first = try clear(through: 2, of: 3)
        #expect(first.map(\.sequence) == [2] && first.map(\.cleared) == [3])
        #expect(first.first?.removed == party.bob.events.prefix(2).map(\.id))
        try party.test.reopen()
        #expect(try party.test.store.snapshot().logs.first { $0.log == party.bob.log }?.cleared == 3)
        #expect(try party.lines() == ["* created Party", "text 3", "text 4"])
        let second = try clear(through: 9, of: 3)
        #expect(second.map(\.sequence) == [3] && second.map(\.cleared) == [3])
        #expect(try clear(through: 9, of: 3).isEmpty)
        for _ in 0..<2 {
            #expect(try party.lines() == ["* created Party", "text 4"])
            try party.test.store.rebuildProjections()
        }
        // Nothing is cleared that is not here yet.
        #expect(try clear(through: 0, of: 99).map(\.cleared) == [4])
    }

    /// The simulator's disk tells floors in the order in which it was asked: effects follow from it, and a seed must give the
    /// same trace in each process.
    @Test func floorsAreToldInOneOrder() throws {
        var random = SeededGenerator(seed: 308)
        let party = try Party(seed: 308)
        var disk = SimulatedDisk(name: "Ada", identity: party.test.me)
        var first = PersistBatch(id: BatchID(1))
        first.conversations = [ConversationRecord(id: party.group, kind: .group)]
        first.events = [party.creation]
        var clearing: [RetainedLog] = []
        for _ in 0..<12 {
            let replica = try #require(ReplicaID(Array(random.bytes32().bytes.prefix(ReplicaID.count))))
            var writer = LogWriter(party.group, LogID(author: party.bob.log.author, replica: replica))
            first.events.append(writer.say("text", after: [party.creation.reference]))
            let log = RetainedLog(
                conversation: party.group,
                log: writer.log,
                age: nil,
                cleared: 1,
                wall: Self.start,
                through: 1
            )
            clearing.append(log)
        }
        try disk.persist(first)
        // Two commands in one batch name each log twice: the last counts.
        let receipt = try disk.persist(Self.batch([], clearing + clearing))
        #expect(receipt.floors.map(\.log) == clearing.map(\.log))
        #expect(receipt.floors.allSatisfy { $0.sequence == 1 && $0.cleared == 1 })
    }

    /// The time that is shown decides. If it was the clock here that was wrong when the message came, that is no reason to
    /// remove it.
    @Test func aTimeFarAheadCountsFromTheArrivalWhileItIsAhead() throws {
        var party = try Party(seed: 305)
        let early = Self.start - 3 * 86_400_000
        var message = party.bob.say("from the future", after: [party.creation.reference])
        message.arrived = early
        try party.test.persist([party.creation, message])
        func floors(age: Int64, wall: Int64) throws -> [UInt64] {
            let log = RetainedLog(conversation: party.group, log: party.bob.log, age: age, wall: wall, through: 9)
            return try party.test.store.persist(Self.batch([], [log])).floors.map(\.sequence)
        }
        #expect(try floors(age: 3_600_000, wall: early + 3_600_000).isEmpty)
        #expect(try floors(age: 3_600_000, wall: Self.start + 3_600_000).isEmpty, "it is shown as new now")
        #expect(try floors(age: 3_600_000, wall: early + 3_600_001) == [1])
    }

    @Test(arguments: [.min, -1, 0, 3_599_999, .max] as [Int64]) func aForgedPeriodIsRefused(period: Int64) throws {
        let party = try Party(seed: 306)
        var batch = PersistBatch(id: BatchID(1))
        var preference = Preference()
        preference.retention = period
        batch.preferences = [PreferenceRecord(conversation: party.group, preference: preference)]
        _ = try party.test.store.persist(batch)
        #expect(throws: StoreError.self) { try party.test.store.snapshot() }
    }

    /// Forks may show above and below what was removed, and what comes later may be removed in the branches.
    @Test(arguments: 0..<20) func floorsAreDividedWithTheirLogs(number: Int) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let party = try Party(seed: seed)
        var writers = [party.bob, party.eve]
        for _ in 0..<30 { _ = Self.write(&writers, Int.random(in: 0...1, using: &random), party.creation, &random) }
        var other = writers[0].forked(after: Int.random(in: 0...writers[0].events.count, using: &random), &random)
        for number in 0..<8 {
            other.say("other \(number)", after: other.events.isEmpty ? [party.creation.reference] : [])
        }
        let record = ConversationRecord(id: party.group, kind: .group)
        let twins = try Twins(party.test, [record], note: "seed \(seed)")
        try twins.persist { $0.events = [party.creation] }
        var feed = ForkFeed(PartedLogs([writers[0], other, writers[1]]))
        while let (branches, events) = feed.next(&random) {
            let logs = twins.disk.snapshot.logs.shuffled(using: &random).prefix(2)
            try twins.persist { batch in
                (batch.branches, batch.events) = (branches, events)
                batch.retention = logs.map { log in
                    RetainedLog(
                        conversation: party.group,
                        log: log.log,
                        age: Bool.random(using: &random) ? 0 : nil,
                        cleared: UInt64.random(in: 0...1, using: &random) * UInt64.random(in: 0...40, using: &random),
                        wall: Self.start + Int64.random(in: 0...60, using: &random),
                        through: UInt64.random(in: 0...40, using: &random),
                        gone: UInt64.random(in: 0...20, using: &random)
                    )
                }
            }
        }
        try twins.compareThroughout()
    }

    /// Whatever arrives in whatever order, and is removed or made again: the store shows what the auditor finds above its floors.
    @Test(arguments: 0..<40) func theStoreSaysWhatTheAuditorFinds(number: Int) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let party = try Party(seed: seed)
        let twins = try Twins(
            party.test,
            [ConversationRecord(id: party.group, kind: .group)],
            note: "seed \(seed)"
        )
        try twins.persist { $0.events = [party.creation] }
        var writers = [party.bob, party.eve]
        for _ in 0..<30 {
            var events: [StoredEvent] = []
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let writer = Int.random(in: 0...1, using: &random)
                events.append(Self.write(&writers, writer, party.creation, &random))
            }
            var removed: [RetainedLog] = []
            if Int.random(in: 0..<3, using: &random) == 0 {
                removed = writers.shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random)).map { log in
                    let age = Int64.random(in: 0...60, using: &random)
                    var old = Self.old(log, before: age, through: UInt64.random(in: 0...40, using: &random))
                    if Bool.random(using: &random) { old.gone = UInt64.random(in: 0...20, using: &random) }
                    if Bool.random(using: &random) { old.cleared = UInt64.random(in: 0...40, using: &random) }
                    return old
                }
            }
            let bodies = Bool.random(using: &random) ? writers.flatMap(\.events).shuffled(using: &random).prefix(3) : []
            try twins.persist { batch in
                batch.events = events
                batch.retention = removed
                batch.bodies = bodies.compactMap(\.found)
            }
        }
        try twins.compareThroughout()
    }

    /// One more event of a log; some come without their texts.
    private static func write(
        _ writers: inout [LogWriter],
        _ place: Int,
        _ creation: StoredEvent,
        _ random: inout SeededGenerator
    ) -> StoredEvent {
        let written = writers.flatMap { log in log.events.map { ($0, log) } }.filter { $0.0.header.kind == .message }
        let target = written.randomElement(using: &random)?.0.reference
        let after =
            writers[place].events.isEmpty ? [creation.reference] : [writers[1 - place].reference].compactMap { $0 }
        let event: StoredEvent
        switch (Int.random(in: 0..<10, using: &random), target) {
        case (0, let target?), (1, let target?): event = writers[place].edit(target, "edited", after: after)
        case (2, let target?): event = writers[place].delete(target, after: after)
        case (3, let target?): event = writers[place].react(to: target, "👍", after: after)
        case (4, let target?): event = writers[place].say("answer", after: after, to: target)
        case (5, _) where writers[place].events.count > 1:
            event = writers[place].withdraw(
                UInt64.random(in: 1...UInt64(writers[place].events.count), using: &random),
                after: after
            )
        default: event = writers[place].say("text \(writers[place].events.count)", after: after)
        }
        return Int.random(in: 0..<8, using: &random) == 0 ? event.withoutBody : event
    }
}
