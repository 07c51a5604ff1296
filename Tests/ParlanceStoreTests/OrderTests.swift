import GRDB
import ParlanceCore
import ParlanceRecords
import ParlanceWire
import Testing

@testable import ParlanceStore

/// The projections are a function of the set of events; order of arrival and batches do not matter.
@Suite struct OrderTests {
    /// What people see and what the engine keeps, without row numbers.
    private struct View: Equatable {
        var logs: [LogRecord]
        var summaries: [ConversationSummary]
        var histories: [[ShownMessage]]
        var labels: [GroupLabel]

        init(_ store: Store) throws {
            let snapshot = try store.snapshot()
            labels = snapshot.labels
            logs = snapshot.logs.sorted { ($0.conversation, $0.log) < ($1.conversation, $1.log) }
            summaries = try store.conversations()
            histories = try summaries.map { try store.history($0.record.id, limit: 10_000) }
        }
    }

    static let seeds = (0..<6).map { _ in UInt64.random(in: 0...UInt64.max) }

    @Test(arguments: seeds) func everyOrderGivesTheSame(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let first = try TestStore(&random)
        let scenario = Scenario(me: first.log, &random, events: 300, fabricates: false)
        var views: [View] = []
        for round in 0..<6 {
            // The owner is the same each time, so that the same messages are unread.
            var same = SeededGenerator(seed: seed)
            let test = round == 0 ? first : try TestStore(&same)
            try test.persist(conversations: scenario.conversations, [])
            var rest = scenario.shuffled(&random)[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...(round == 1 ? 1 : 200), using: &random)
                let events = Array(rest.prefix(count))
                try test.persist(round < 2 ? events : scenario.lackingBodies(events, &random))
                rest = rest.dropFirst(count)
            }
            // Bodies that were dropped for a deletion that does not count in the end come back too.
            var batch = PersistBatch(id: BatchID(2))
            batch.bodies = scenario.bodies(of: try test.store.snapshot().logs)
            if !batch.bodies.isEmpty { _ = try test.store.persist(batch) }
            views.append(try View(test.store))
        }
        #expect(views.dropFirst().allSatisfy { $0 == views[0] }, "seed \(seed)")
        #expect(views[0].histories.contains { $0.count > 20 }, "seed \(seed)")
    }

    @Test func rebuiltProjectionsAreTheSameRows() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let test = try TestStore(&random)
        let scenario = Scenario(me: test.log, &random, events: 500)
        let events = scenario.lackingBodies(scenario.shuffled(&random), &random)
        try test.persist(conversations: scenario.conversations, Array(events.prefix(450)))
        let before = try dump(test.store)
        try test.store.rebuildProjections()
        let others = try Set(dump(test.store)).symmetricDifference(before)
        #expect(others.isEmpty, "\(others.sorted().prefix(4)), seed \(seed)")
        try test.persist(Array(events.dropFirst(450)))
        #expect(try dump(test.store) != before, "seed \(seed)")
    }

    private func dump(_ store: Store) throws -> [String] {
        try store.read { db in
            try [
                "message", "waiting", "missing", "log", "event", "about", "withdrawal", "label", "membership",
            ].flatMap { table in
                try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }.sorted()
            }
        }
    }

    /// A chain in which each event waits for one in the other log; the last log arrives first.
    @Test func longChainIsAppliedAtOnceAndInOrder() throws {
        var random = SeededGenerator(seed: 1)
        let test = try TestStore(&random)
        let peer = PeerID(value: random.bytes32())
        let conversation = ConversationRecord(id: ConversationID(direct: test.me, peer), kind: .direct(peer))
        var a = LogWriter(conversation.id, test.log)
        var b = LogWriter(conversation.id, LogID(author: peer, replica: random.replica()))
        for turn in 0..<1000 {
            a.say("a\(turn)", after: b.reference.map { [$0] } ?? [])
            b.say("b\(turn)", after: a.reference.map { [$0] } ?? [])
        }
        let held = try test.persist(conversations: [conversation], b.events)
        #expect(held.applied.isEmpty && held.shown.isEmpty)
        let receipt = try test.persist(a.events)
        #expect(receipt.shown.map(\.text) == (0..<1000).flatMap { ["a\($0)", "b\($0)"] })
        #expect(receipt.applied.map(\.position.sequence) == [1000, 1000])
        #expect(try test.store.history(conversation.id, limit: 10_000).map(\.text) == receipt.shown.map(\.text))
    }

    /// A message that arrives and is withdrawn in one transaction is never told.
    @Test func withdrawnInTheSameBatchIsNeverShown() throws {
        var random = SeededGenerator(seed: 2)
        let test = try TestStore(&random)
        let peer = PeerID(value: random.bytes32())
        let conversation = ConversationRecord(id: ConversationID(direct: test.me, peer), kind: .direct(peer))
        var log = LogWriter(conversation.id, test.log)
        log.say("first")
        log.say("second")
        log.withdraw(1)
        let receipt = try test.persist(conversations: [conversation], log.events)
        #expect(receipt.shown.map(\.text) == ["second"])
        #expect(receipt.withdrawn.isEmpty)
        let later = try test.persist([log.withdraw(2)])
        #expect(later.withdrawn == [log.events[1].id])
    }
}
