import ParlanceCore
import ParlanceRecords
import ParlanceWire
import Testing

@testable import ParlanceStore

/// Reading a conversation forwards, page by page.
@Suite struct LaterHistoryTests {
    /// All pages after another, the way an export reads them.
    private func whole(_ office: Office, limit: Int, overlay: HistoryOverlay = HistoryOverlay()) throws -> [String] {
        var texts: [String] = []
        var after: EventID?
        while true {
            let page = try office.test.store.page(
                of: office.conversation.id,
                after: after,
                limit: limit,
                overlay: overlay
            )
            texts += page.messages.map(\.text)
            guard let last = page.messages.last else { return texts }
            after = last.id
        }
    }

    @Test func pagesForwardsAreTheWholeHistory() throws {
        var office = try Office(seed: 51)
        for number in 0..<57 {
            if number % 3 == 0 { office.theirs.say("t\(number)") } else { office.mine.say("m\(number)") }
        }
        try office.test.persist(office.mine.events + office.theirs.events)
        let all = try office.texts()
        #expect(all.count == 57)
        for limit in [1, 2, 10, 57, 100] { #expect(try whole(office, limit: limit) == all, "\(limit)") }
        let newest = try office.test.store.page(of: office.conversation.id, limit: 5).messages
        let unknown = EventID(value: .zero)
        #expect(try office.test.store.page(of: office.conversation.id, after: unknown, limit: 5).messages.isEmpty)
        #expect(try office.test.store.page(of: office.conversation.id, after: newest[4].id, limit: 5).messages.isEmpty)
        let nowhere = ConversationID(value: .zero)
        #expect(try office.test.store.page(of: nowhere, after: nil, limit: 5).messages.isEmpty)
    }

    /// The message at which a page ended is taken back before the next page is read.
    @Test func aWithdrawalBetweenTwoPagesCostsNothing() throws {
        var office = try Office(seed: 52)
        for number in 0..<9 { office.mine.say("m\(number)") }
        try office.test.persist(office.mine.events)
        let (store, conversation) = (office.test.store, office.conversation.id)
        let page = try store.page(of: conversation, after: nil, limit: 4).messages
        #expect(page.map(\.text) == ["m0", "m1", "m2", "m3"])
        store.remember(page[3])
        try office.test.persist([office.mine.withdraw(page[3].sequence)])
        #expect(store.remembers(page[3].id, in: conversation))
        #expect(!store.remembers(page[3].id, in: ConversationID(value: .zero)))
        #expect(try store.page(of: conversation, after: page[3].id, limit: 2).messages.map(\.text) == ["m4", "m5"])
    }

    @Test func theOverlayIsAmongThePages() throws {
        var party = try Party(seed: 53)
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
        _ = try party.test.store.persist(batch)
        let overlay = HistoryOverlay(departures: [removal.id])
        let expected = try party.test.store.history(party.group, limit: 100, overlay: overlay).map(\.id)
        #expect(expected.last == removal.id)
        var found: [EventID] = []
        while true {
            let page = try party.test.store.page(of: party.group, after: found.last, limit: 1, overlay: overlay)
            guard let next = page.messages.first else { break }
            found.append(next.id)
        }
        #expect(found == expected)
    }
}
