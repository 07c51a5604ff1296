import ParlanceCore
import ParlanceRecords
import ParlanceStore
import ParlanceWire
import Testing

/// The newest message: what `last` stands for.
@Suite struct NewestTests {
    private func newest(in party: Party, byOwner: Bool = false) throws -> String? {
        try party.test.store.newestMessage(byOwner: byOwner, in: [party.group], at: 1_770_000_000_000)?.message.text
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
        let last = try party.test.store.newestMessage(byOwner: true, in: [party.group], at: 0)?.message
        #expect(last?.id == two.id && last?.rich?.deletion != nil)
    }

    /// Nothing is shown of it, and still the owner means it.
    @Test func theNewestThatTheOwnerTookBackIsKnown() throws {
        var party = try Party(seed: 56)
        let newest = { try party.test.store.newestWithdrawn(in: [party.group], at: 0)?.event.id }
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

    /// After a clock that was ahead is right again, the last that was written is the last, in whatever conversation: also
    /// after other starts, and as a new replica, whose starts are counted anew.
    @Test func theOwnersOwnAreComparedByTheOrderOfWriting() throws {
        var random = SeededGenerator(seed: 57)
        let office = try Office(seed: 58)
        let test = office.test
        let peer = PeerID(value: random.bytes32())
        let other = ConversationRecord(id: ConversationID(direct: test.me, peer), kind: .direct(peer))
        let wall: Int64 = 1_770_000_000_000
        var ahead = LogWriter(office.conversation.id, test.log, time: UInt64(wall + 10_800_000) << 16)
        var right = LogWriter(other.id, test.log, time: UInt64(wall) << 16)
        func newest() throws -> String? {
            try test.store.newestMessage(byOwner: true, in: [office.conversation.id, other.id], at: wall)?.message.text
        }
        for _ in 1...3 { _ = try test.store.beginEpoch() }
        try test.persist(conversations: [other], [ahead.say("three hours ahead")])
        try test.persist([right.say("right")])
        #expect(try newest() == "right")
        try test.reopen()
        _ = try test.store.beginEpoch()
        try test.persist([ahead.say("ahead again")])
        #expect(try newest() == "ahead again")
        try test.reopen { _ in false }
        _ = try test.store.beginEpoch()
        let renewedLog = LogID(author: test.me, replica: test.otherReplica)
        var renewed = LogWriter(other.id, renewedLog, time: UInt64(wall + 1000) << 16)
        try test.persist([renewed.say("as another replica")])
        #expect(try newest() == "as another replica")
        let gone = renewed.say("gone")
        try test.persist([gone])
        try test.persist([renewed.withdraw(gone.header.sequence)])
        let withdrawn = try #require(try test.store.newestWithdrawn(in: [office.conversation.id, other.id], at: wall))
        let last = try #require(try test.store.newestMessage(byOwner: true, in: [office.conversation.id], at: wall))
        #expect(last.rank < withdrawn.rank)
    }

    /// What others bring back of the owner's was not written here now, so it is older than what was.
    @Test func whatOthersBringBackIsNotTheLastThatWasWritten() throws {
        var random = SeededGenerator(seed: 60)
        var office = try Office(seed: 59)
        let peer = PeerID(value: random.bytes32())
        let other = ConversationRecord(id: ConversationID(direct: office.test.me, peer), kind: .direct(peer))
        try office.test.persist([office.mine.say("written here")])
        let former = LogID(author: office.test.me, replica: random.replica())
        var lost = LogWriter(other.id, former, time: 1_769_000_000_000 << 16)
        var back = lost.say("brought back")
        back.via = peer
        try office.test.persist(conversations: [other], [back])
        let conversations = [office.conversation.id, other.id]
        let newest = try office.test.store.newestMessage(byOwner: true, in: conversations, at: 1_770_000_000_000)
        #expect(newest?.message.text == "written here")
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
            #expect(found?.message.text == text)
        }
    }
}
