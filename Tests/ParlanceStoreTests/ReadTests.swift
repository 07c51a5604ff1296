import Foundation
import GRDB
import ParlanceCore
import ParlanceRecords
import ParlanceWire
import Testing

@testable import ParlanceStore

/// What people read: stable pages, look-ups by ID, and readers that wait for nobody.
@Suite struct ReadTests {
    @Test func pagesStayStableWhileOthersWriteAndTakeBack() throws {
        var office = try Office(seed: 31)
        for number in 0..<100 { office.mine.say("m\(number)") }
        try office.test.persist(office.mine.events)
        let conversation = office.conversation.id
        let newest = try office.test.store.history(conversation, limit: 10)
        #expect(newest.map(\.text) == (90..<100).map { "m\($0)" })
        // New messages arrive, and the message at which the page ended is withdrawn.
        try office.test.persist([office.mine.say("new"), office.mine.withdraw(newest[0].sequence)])
        #expect(try office.texts(before: newest[0].id, limit: 10) == (80..<90).map { "m\($0)" })
        #expect(try office.texts(before: office.mine.events[3].id, limit: 10) == ["m0", "m1", "m2"])
        #expect(try office.texts(before: office.mine.events[0].id, limit: 10).isEmpty)
        #expect(try office.texts(before: EventID(value: .zero), limit: 10).isEmpty)
        #expect(try office.texts(limit: 0).isEmpty)
        #expect(try office.texts(limit: -1).isEmpty)
    }

    /// Somebody who has seen a page has read each log to the last line that the page shows of it.
    @Test func aPageReachesAsFarAsItShows() throws {
        var office = try Office(seed: 33)
        office.theirs.say("one")
        office.theirs.say("two")
        office.mine.say("own")
        try office.test.persist(office.theirs.events + office.mine.events)
        let conversation = office.conversation.id
        let (store, theirs) = (office.test.store, office.theirs.events)
        let page = try store.history(conversation, limit: 10)
        func end(_ text: String) throws -> LogPosition? {
            let message = try #require(page.first { $0.text == text }).id
            return try store.positions(through: message, in: conversation)?[office.theirs.log]
        }
        #expect(try end("one") == LogPosition(sequence: 1, head: theirs[0].id))
        #expect(try end("two") == LogPosition(sequence: 2, head: theirs[1].id))
        #expect(try store.positions(through: EventID(value: .zero), in: conversation) == nil)
    }

    /// The removal is held outside its log, so only the overlay shows it. A page that ends with it reaches it.
    @Test func aPageMayEndWithALineOfTheOverlay() throws {
        var party = try Party(seed: 40)
        let appointment = party.ada.change(.appoint, [party.bob.log.author], known: [party.creation.id])
        let said = party.eve.say("hello")
        let own = party.ada.reference
        let removal = party.bob.change(
            .remove,
            [party.ada.log.author],
            known: [appointment.id],
            marks: [party.ada.log: UInt64(party.ada.events.count)],
            after: [said.reference] + [own].compactMap { $0 }
        )
        try party.test.persist(party.ada.events + party.eve.events)
        var batch = PersistBatch(id: BatchID(5))
        batch.membership = [removal]
        let store = party.test.store
        _ = try store.persist(batch)
        let overlay = HistoryOverlay(departures: [removal.id])
        let page = try store.history(party.group, limit: 10, overlay: overlay)
        #expect(page.last?.id == removal.id)
        let read = try store.positions(through: removal.id, in: party.group, overlay: overlay)
        #expect(read?[party.eve.log] == LogPosition(sequence: 1, head: said.id))
        #expect(try store.positions(through: removal.id, in: party.group) == nil, "it is not shown without the overlay")
    }

    @Test func textsOfWhateverKindComeBackByteForByte() throws {
        var office = try Office(seed: 32)
        let texts = ["plain", "e\u{301}", "\u{e9}", "nul \0 inside", "🧑‍🚀", String(repeating: "long ", count: 13_000)]
        for text in texts { office.theirs.say(text) }
        let receipt = try office.test.persist(office.theirs.events)
        #expect(receipt.shown.map { Array($0.text.utf8) } == texts.map { Array($0.utf8) })
        #expect(try office.texts().map { Array($0.utf8) } == texts.map { Array($0.utf8) })
    }

    @Test func anArrivalIsShownInsteadOfATimeFarAhead() throws {
        var office = try Office(seed: 38)
        office.theirs.say("far ahead")
        office.theirs.edit(try #require(office.theirs.reference), "edited")
        office.theirs.delete(try #require(office.theirs.reference(to: 1)))
        office.theirs.say("as written")
        var events = office.theirs.events
        for index in 0..<3 { events[index].arrived = 1_700_000_000_000 + Int64(index) }
        try office.test.persist(events)
        let conversation = office.conversation.id
        for _ in 0..<2 {
            let shown = try office.test.store.history(conversation, limit: 5)
            #expect(shown.map(\.time.arrived).first == 1_700_000_000_000)
            #expect(shown.first?.rich?.deletion?.time.arrived == 1_700_000_000_002)
            #expect(shown.last?.time == WrittenTime(events[3].header.time))
            let versions = try office.test.store.versions(of: events[0].reference, in: conversation)
            #expect(versions.map(\.time.arrived) == [1_700_000_000_000, 1_700_000_000_001])
            let request = ReadRequest(
                conversation: conversation,
                log: office.theirs.log,
                from: 1,
                through: 4,
                byteLimit: .max
            )
            #expect(try office.test.store.events(request).map(\.arrived) == events.map(\.arrived))
            try office.test.store.rebuildProjections()
            try office.test.reopen()
        }
    }

    @Test func prefixesFindMessagesOrNothing() throws {
        var office = try Office(seed: 33)
        for number in 0..<50 { office.mine.say("m\(number)") }
        try office.test.persist(office.mine.events)
        let store = office.test.store
        let id = office.mine.events[17].id
        for length in [4, 5, 6, 7, 8, 51, 52] {
            #expect(try store.findMessages(idPrefix: String(id.text.prefix(length))).contains { $0.id == id })
        }
        #expect(try store.findMessages(idPrefix: id.text).map(\.text) == ["m17"])
        for wrong in ["", String(id.text.prefix(3)), id.text + "a", "0189", "ábcde", String(id.text.prefix(51)) + "7"] {
            #expect(try store.findMessages(idPrefix: wrong).isEmpty, "\(wrong)")
        }
        let elsewhere = ConversationID(value: .zero)
        #expect(try store.findMessages(idPrefix: id.text, in: elsewhere).isEmpty)
    }

    @Test func unknownNamesGiveNothing() throws {
        let office = try Office(seed: 34)
        let (store, nowhere) = (office.test.store, ConversationID(value: .zero))
        #expect(try store.history(nowhere, limit: 5).isEmpty)
        #expect(try store.ownMessages(nowhere, log: office.test.log, after: 0, limit: 5).isEmpty)
        #expect(try store.ownMessages(office.conversation.id, log: office.test.log, after: .max, limit: 5).isEmpty)
        #expect(try store.messageCount(in: nowhere) == 0)
        let request = ReadRequest(
            conversation: office.conversation.id,
            log: office.test.log,
            from: .max,
            through: .max,
            byteLimit: 0
        )
        #expect(try store.events(request).isEmpty)
        let summary = try #require(try store.conversations().first)
        #expect(summary.lastMessage == nil && summary.lastActivity == nil && summary.unread == 0)
    }

    @Test func readersDoNotWaitForTheWriter() throws {
        var office = try Office(seed: 35)
        try office.test.persist([office.mine.say("there")])
        let (store, conversation) = (office.test.store, office.conversation.id)
        let found = try store.write { writer, db in
            try writer.transaction(db) { _ in
                try db.execute(sql: "DELETE FROM message")
                // On another thread, while the write is under way: the reader gets what was committed.
                let answer = Answer()
                Thread.detachNewThread { answer.give(try? store.history(conversation, limit: 5).map(\.text)) }
                return answer.wait()
            }
        }
        #expect(found == ["there"])
    }

    private final class Answer: @unchecked Sendable {
        private let given = DispatchSemaphore(value: 0)
        private var texts: [String]?

        func give(_ texts: [String]?) {
            self.texts = texts
            given.signal()
        }

        func wait() -> [String]? {
            given.wait(timeout: .now() + 20) == .success ? texts : nil
        }
    }

    @Test func withdrawnTextLeavesTheDisk() throws {
        var office = try Office(seed: 36)
        let secret = "a word nobody may find again"
        try office.test.persist([office.mine.say(secret), office.mine.say("stays")])
        #expect(try office.test.isOnDisk(secret))
        try office.test.persist([office.mine.withdraw(1)])
        try office.test.store.maintain()
        #expect(try !office.test.isOnDisk(secret))
        #expect(try office.test.isOnDisk("stays"))
    }

    @Test func maintenanceKeepsTheLogShort() throws {
        var office = try Office(seed: 37)
        let body = [UInt8](repeating: 7, count: 90_000)
        var most = 0
        for _ in 0..<120 {
            try office.test.persist([office.mine.append(.unknown(9), body: body)])
            most = max(most, try office.test.store.write { writer, _ in writer.gauge.bytes })
            try office.test.store.maintain()
        }
        #expect(most >= Checkpoint.dueBytes && most < Checkpoint.dueBytes + 400 * 1024)
        #expect(try office.test.store.write { writer, _ in writer.gauge.bytes } < Checkpoint.dueBytes)
        #expect(try office.test.store.snapshot().logs.first?.position.sequence == 120)
    }

    /// While large batches come, a checkpoint waits for a smaller one. A crash meanwhile loses nothing.
    @Test func maintenanceWaitsWhileLargeBatchesCome() throws {
        var office = try Office(seed: 38)
        let body = [UInt8](repeating: 7, count: 20_000)
        func logBytes() throws -> Int { try office.test.store.write { writer, _ in writer.gauge.bytes } }
        func persistMany() throws {
            let events = (0..<Checkpoint.busyEvents).map { _ in office.mine.append(.unknown(9), body: body) }
            try office.test.persist(events)
        }
        try office.test.store.maintain()
        var sizes: [Int] = []
        for _ in 0..<10 {
            try persistMany()
            sizes.append(try logBytes())
            try office.test.store.maintain()
            if try logBytes() == 0 { break }
        }
        let most = try #require(sizes.last)
        #expect(sizes.contains { $0 > Checkpoint.dueBytes && $0 < Checkpoint.latestBytes })
        #expect(most >= Checkpoint.latestBytes && most < Checkpoint.latestBytes + 8 * 1024 * 1024)

        for _ in 0..<2 { try persistMany() }
        try office.test.store.maintain()
        #expect(try logBytes() > Checkpoint.dueBytes)
        let copy = office.test.folder + "/copy"
        try office.test.copyFiles(to: copy)
        let crashed = try office.test.open(copy)
        #expect(try crashed.snapshot().logs == office.test.store.snapshot().logs)
        crashed.close()
        try office.test.persist([office.mine.say("small")])
        try office.test.store.maintain()
        #expect(try logBytes() == 0)
    }
}
