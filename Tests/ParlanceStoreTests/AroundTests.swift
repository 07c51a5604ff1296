import ParlanceRecords
import ParlanceStore
import ParlanceWire
import Testing

/// Pages with a message in the middle.
@Suite struct AroundTests {
    private static func page(_ office: Office, _ event: StoredEvent, limit: Int) throws -> AroundPage? {
        try office.test.store.page(of: office.conversation.id, around: event.id, limit: limit)
    }

    @Test func pageHasTheMessageInTheMiddle() throws {
        var office = try Office(seed: 431)
        let events = (1...20).map { office.theirs.say("\($0)") }
        try office.test.persist(events)
        let middle = try #require(try Self.page(office, events[9], limit: 5))
        #expect(middle.page.messages.map(\.text) == ["8", "9", "10", "11", "12"] && middle.place == 2)
        #expect(middle.hasOlder && middle.hasNewer && middle.page.unread.count == 5)
        let first = try #require(try Self.page(office, events[0], limit: 4))
        #expect(first.page.messages.map(\.text) == ["1", "2", "3", "4"] && first.place == 0)
        #expect(!first.hasOlder && first.hasNewer)
        let last = try #require(try Self.page(office, events[19], limit: 4))
        #expect(last.page.messages.map(\.text) == ["17", "18", "19", "20"] && last.place == 3)
        #expect(last.hasOlder && !last.hasNewer)
        let all = try #require(try Self.page(office, events[4], limit: 200))
        #expect(all.page.messages.count == 20 && !all.hasOlder && !all.hasNewer)
        #expect(try Self.page(office, events[4], limit: 1)?.page.messages.map(\.text) == ["5"])
        #expect(all.page.summary?.messages == 20)
        let stranger = office.mine.say("never persisted")
        #expect(try Self.page(office, stranger, limit: 5) == nil)
    }
}
