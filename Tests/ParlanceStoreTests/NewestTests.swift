import ParlanceCore
import ParlanceRecords
import ParlanceStore
import ParlanceWire
import Testing

/// The newest message: what `last` stands for.
@Suite struct NewestTests {
    private func newest(in party: Party, byOwner: Bool = false) throws -> String? {
        try party.test.store.newestMessage(byOwner: byOwner, in: [party.group], at: 1_770_000_000_000)?.text
    }

    @Test func messagesOfOthersAndOfTheOwnerAreTold() throws {
        var party = try Party(seed: 51)
        try party.test.persist([party.creation])
        #expect(try newest(in: party) == nil, "a line about the group is no message")
        party.bob.say("one", after: [party.creation.reference])
        party.eve.say("two", after: [try #require(party.bob.reference)])
        party.ada.say("mine", after: [try #require(party.eve.reference)])
        try party.test.persist(party.bob.events + party.eve.events + party.ada.events.suffix(1))
        #expect(try newest(in: party) == "two")
        #expect(try newest(in: party, byOwner: true) == "mine")
    }

    @Test func deletedMessagesAndThoseOfBlockedPeopleDoNotCount() throws {
        var party = try Party(seed: 52)
        party.bob.say("one", after: [party.creation.reference])
        party.eve.say("two", after: [try #require(party.bob.reference)])
        let three = party.bob.say("three", after: [try #require(party.eve.reference)])
        try party.test.persist(party.ada.events + party.bob.events.prefix(1) + party.eve.events + [three])
        #expect(try newest(in: party) == "three")
        try party.test.persist([party.bob.delete(three.reference)])
        #expect(try newest(in: party) == "two")
        var batch = PersistBatch(id: BatchID(2))
        var eve = PeerRecord(id: party.eve.log.author)
        eve.trust = .blocked
        batch.peers = [eve]
        _ = try party.test.store.persist(batch)
        #expect(try newest(in: party) == "one")
    }

    /// What follows would change an older message in place of the one that the owner means.
    @Test func aDeletedMessageOfTheOwnerIsStillTheLast() throws {
        var party = try Party(seed: 55)
        party.ada.say("one")
        let two = party.ada.say("two")
        try party.test.persist(party.ada.events)
        try party.test.persist([party.ada.delete(two.reference)])
        let last = try party.test.store.newestMessage(byOwner: true, in: [party.group], at: 0)
        #expect(last?.id == two.id && last?.rich?.deletion != nil)
    }

    /// Nothing is shown of it, and still the owner means it.
    @Test func theNewestThatTheOwnerTookBackIsKnown() throws {
        var party = try Party(seed: 56)
        let newest = { try party.test.store.newestWithdrawn(in: [party.group], at: 0)?.id }
        let one = party.ada.say("one")
        let two = party.ada.say("two")
        party.ada.say("three")
        party.bob.say("other", after: [party.creation.reference])
        let events = party.ada.events + party.bob.events
        try party.test.persist(events)
        #expect(try newest() == nil)
        let sequence = one.header.sequence
        try party.test.persist([party.ada.withdraw(sequence), party.bob.withdraw(1)])
        #expect(try newest() == one.id, "those of others do not count")
        try party.test.persist([party.ada.withdraw(two.header.sequence)])
        #expect(try newest() == two.id)
    }

    /// Somebody whose clock is years ahead does not stay the last to have written.
    @Test func conversationsAreComparedByTheTimesShown() throws {
        var random = SeededGenerator(seed: 54)
        var office = try Office(seed: 53)
        office.theirs.say("far ahead")
        var events = office.theirs.events
        events[0].arrived = 1_700_000_000_000
        let peer = PeerID(value: random.bytes32())
        let other = ConversationRecord(id: ConversationID(direct: office.test.me, peer), kind: .direct(peer))
        let log = LogID(author: peer, replica: random.replica())
        var writer = LogWriter(other.id, log, time: 1_700_000_050_000 << 16)
        writer.say("newer")
        try office.test.persist(conversations: [other], events + writer.events)
        for (wall, text) in [(1_700_000_100_000, "newer"), (1_770_000_000_000, "far ahead")] as [(Int64, String)] {
            let found = try office.test.store.newestMessage(
                byOwner: false,
                in: [office.conversation.id, other.id],
                at: wall
            )
            #expect(found?.text == text)
        }
    }
}
