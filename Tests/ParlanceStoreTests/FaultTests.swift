import Foundation
import GRDB
import ParlanceCore
import ParlanceRecords
import ParlanceWire
import ParlanceWords
import Testing

@testable import ParlanceStore

/// Faults: a full disk, a crash at any byte of the write-ahead log, and a batch that contradicts the store.
@Suite struct FaultTests {
    @Test func fullDiskWritesNothingAndLetsTheNodeGoOn() throws {
        var office = try Office(seed: 11)
        for number in 0..<20 { office.mine.say("before \(number)") }
        try office.test.persist(office.mine.events)
        let before = try office.test.store.snapshot()
        let pages = try limitPages(office.test.store, extra: 6)
        var batch = PersistBatch(id: BatchID(2))
        for number in 0..<400 {
            batch.events.append(office.mine.say("during \(number)"))
            batch.events.append(office.theirs.say("answer", after: office.mine.reference.map { [$0] } ?? []))
        }
        batch.profile = ProfileRecord(name: "Grace")
        let error = #expect(throws: StoreError.self) { try office.test.store.persist(batch) }
        #expect(error?.code == .full && error?.canGoOn == true)
        #expect(error?.advice.english.contains("Make room") == true)
        #expect(try office.test.store.snapshot() == before)
        #expect(try office.texts().count == 20)
        // A small batch still fits, and the large one fits once there is room.
        var small = PersistBatch(id: BatchID(3))
        small.profile = ProfileRecord(name: "Grace")
        _ = try office.test.store.persist(small)
        _ = try limitPages(office.test.store, extra: pages + 10_000)
        #expect(try office.test.store.persist(batch).shown.count == 800)
        try office.test.reopen()
        #expect(try office.texts().count == 820)
    }

    private func limitPages(_ store: Store, extra: Int) throws -> Int {
        try store.write { _, db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(pages + extra)")
            return pages
        }
    }

    /// What two stores are compared by.
    private struct View: Equatable {
        var snapshot: EngineSnapshot
        var texts: [String]

        init(_ store: Store, _ conversation: ConversationID) throws {
            snapshot = try store.snapshot()
            texts = try store.history(conversation, limit: 10_000).map(\.text)
        }
    }

    /// A crash leaves some beginning of the write-ahead log: the store opens in its state after one of its batches.
    @Test func anyBeginningOfTheLogOpensAsAfterAWholeBatch() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        var office = try Office(seed: seed)
        let conversation = office.conversation.id
        try office.test.store.maintain()
        var views = [try View(office.test.store, conversation)]
        for turn in 0..<12 {
            var events = [office.mine.say("mine \(turn)", after: office.theirs.reference.map { [$0] } ?? [])]
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                events.append(
                    office.theirs.say(String(repeating: "x", count: Int.random(in: 1...3000, using: &random)))
                )
            }
            if turn > 2 { events.append(office.mine.withdraw(UInt64(turn - 2))) }
            try office.test.persist(events)
            views.append(try View(office.test.store, conversation))
        }
        let copy = office.test.folder + "/copy"
        var reached: Set<Int> = []
        for round in 0..<12 {
            defer { try? FileManager.default.removeItem(atPath: copy) }
            try office.test.copyFiles(to: copy)
            try cut(copy + "/store.sqlite-wal", whole: round == 0, &random)
            let store = try office.test.open(copy)
            let index = views.firstIndex(of: try View(store, conversation))
            #expect(index != nil, "seed \(seed), round \(round)")
            if round == 0 { #expect(index == views.count - 1, "seed \(seed)") }
            reached.insert(index ?? -1)
            store.close()
        }
        #expect(reached.count > 1, "seed \(seed): no beginning but the whole")
    }

    /// A crash while a batch is synced leaves some of its blocks on the disk, others not, and some torn: the store opens as
    /// before this batch or as after it.
    @Test func tornAndDroppedBlocksLeaveWhatWasSyncedBefore() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        var office = try Office(seed: seed)
        let conversation = office.conversation.id
        let copy = office.test.folder + "/copy"
        var outcomes: Set<Int> = []
        for round in 0..<24 {
            // The next batch then overwrites the log from its beginning.
            if round % 4 == 3 { try office.test.store.write { writer, db in try writer.checkpoint(db) } }
            let before = try (view: View(office.test.store, conversation), log: office.test.writeAheadLog())
            var events = [office.mine.say("mine \(round)")]
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                let length = Int.random(in: 1...3000, using: &random)
                events.append(office.theirs.say(String(repeating: "x", count: length)))
            }
            try office.test.persist(events)
            let after = try (view: View(office.test.store, conversation), log: office.test.writeAheadLog())
            defer { try? FileManager.default.removeItem(atPath: copy) }
            try office.test.copyFiles(to: copy)
            let crashed = round % 3 == 0 ? after.log : mixed(before.log, after.log, &random)
            try crashed.write(to: URL(fileURLWithPath: copy + "/store.sqlite-wal"))
            let store = try office.test.open(copy)
            let outcome = [before.view, after.view].firstIndex(of: try View(store, conversation))
            store.close()
            #expect(outcome != nil, "seed \(seed), round \(round)")
            if round % 3 == 0 { #expect(outcome == 1, "seed \(seed), round \(round)") }
            outcomes.insert(outcome ?? -1)
        }
        #expect(outcomes == [0, 1], "seed \(seed)")
    }

    /// The new content of a file as a crash leaves it: each block of 4 KiB is new, old, or new up to one of its sectors. What
    /// was never written in a file that has grown reads as zeros.
    private func mixed(_ old: Data, _ new: Data, _ random: inout SeededGenerator) -> Data {
        var mixed = old + Data(count: max(0, new.count - old.count))
        for start in stride(from: 0, to: new.count, by: 4096) {
            let end = min(start + 4096, new.count)
            let sectors = max(0, min(8, Int.random(in: -8...16, using: &random)))
            let written = min(end, start + 512 * sectors)
            mixed.replaceSubrange(start..<written, with: new[start..<written])
        }
        // SQLite syncs the header of a log that begins anew before it writes a frame (wal.c, `syncHeader`).
        let header = min(32, new.count)
        mixed.replaceSubrange(0..<header, with: new[0..<header])
        return mixed
    }

    private func cut(_ path: String, whole: Bool, _ random: inout SeededGenerator) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let size = try file.seekToEnd()
        if !whole { try file.truncate(atOffset: UInt64.random(in: 0...size, using: &random)) }
        try file.close()
    }

    @Test func batchThatDoesNotContinueStopsTheStore() throws {
        var office = try Office(seed: 13)
        let first = office.mine.say("one")
        let second = office.mine.say("two")
        let error = #expect(throws: StoreError.self) { try office.test.persist([second]) }
        #expect(error?.code == .fatal && error?.canGoOn == false)
        // The store writes nothing more until it is opened again.
        #expect(throws: StoreError.self) { try office.test.persist([first]) }
        #expect(try office.texts().isEmpty)
        try office.test.reopen()
        #expect(try office.test.persist([first, second]).shown.count == 2)
    }

    @Test func closedStoreSaysSo() throws {
        let office = try Office(seed: 14)
        office.test.store.close()
        #expect(throws: StoreError.self) { try office.test.store.beginEpoch() }
        #expect(throws: StoreError.self) { try office.test.store.snapshot() }
    }
}
