import ParlanceCore
import ParlanceRecords
import ParlanceStore
import ParlanceWire
import Testing

/// The membership of a group decides which events count, in whatever order they arrive.
@Suite struct GroupTests {
    @Test func additionThatComesAfterTheMessagesShowsThem() throws {
        var party = try Party(seed: 101)
        try party.test.persist([party.creation])
        let early = try party.test.persist([party.zoe.say("hello"), party.zoe.say("anybody?")])
        #expect(early.applied.count == 1 && early.shown.isEmpty)
        let zoe = party.zoe.log.author
        let late = try party.test.persist([party.ada.change(.add, [zoe], known: [party.creation.id])])
        #expect(late.shown.map(\.line) == ["* added", "hello", "anybody?"])
        #expect(try party.lines().sorted() == ["* added", "* created Party", "anybody?", "hello"])
        #expect(try party.summary?.unread == 2)
    }

    @Test func removalThatComesLateTakesAwayWhatItsMarkLeavesOut() throws {
        var party = try Party(seed: 102)
        let said = (1...4).map { party.bob.say("b\($0)") }
        try party.test.persist([party.creation] + said)
        let removal = party.ada.change(
            .remove,
            [party.bob.log.author],
            known: [party.creation.id],
            marks: [party.bob.log: 2]
        )
        let receipt = try party.test.persist([removal])
        #expect(receipt.withdrawn == said.suffix(2).map(\.id))
        #expect(receipt.voided.isEmpty, "only the author is told that a message does not count")
        #expect(receipt.shown.map(\.line) == ["* removed"])
        #expect(try party.lines().sorted() == ["* created Party", "* removed", "b1", "b2"])
        #expect(try party.summary?.messages == 2)
    }

    /// What a member writes after its return counts from the event on by which its log has named the addition.
    @Test func whoComesBackIsHeardFromThereOn() throws {
        var party = try Party(seed: 103)
        let bob = party.bob.log.author
        let removal = party.ada.change(.remove, [bob], known: [party.creation.id])
        let addition = party.ada.change(.add, [bob], known: [removal.id])
        party.bob.say("out")
        party.bob.say("back", after: [addition.reference])
        party.bob.say("and on")
        // The logs arrive in either order.
        for order in [party.ada.events + party.bob.events, party.bob.events + party.ada.events] {
            let other = try Party(seed: 103)
            for event in order { try other.test.persist([event]) }
            #expect(try other.lines().filter { !$0.hasPrefix("*") } == ["back", "and on"])
            try other.test.reopen()
            try other.test.persist([party.bob.say("later")])
            #expect(try other.lines().suffix(1) == ["later"])
            try other.test.store.rebuildProjections()
            #expect(try other.lines().filter { !$0.hasPrefix("*") } == ["back", "and on", "later"])
            party.bob = LogWriter(party.group, party.bob.log)
            party.bob.say("out")
            party.bob.say("back", after: [addition.reference])
            party.bob.say("and on")
        }
    }

    @Test func invitationIsKeptOnceInTheOrderOfComing() throws {
        var party = try Party(seed: 104)
        let addition = party.ada.change(.add, [party.zoe.log.author], known: [party.creation.id])
        let appointment = party.ada.change(.appoint, [party.bob.log.author], known: [addition.id])
        var batch = PersistBatch(id: BatchID(2))
        batch.membership = [appointment, party.creation]
        let receipt = try party.test.store.persist(batch)
        #expect(receipt == PersistReceipt())
        #expect(try party.test.store.snapshot().labels == [GroupLabel(conversation: party.group, title: "", topic: "")])
        batch.membership = [party.creation]
        batch.events = party.ada.events
        let later = try party.test.store.persist(batch)
        #expect(later.shown.map(\.line) == ["* created Party", "* added", "* appointed"])
        #expect(later.labels == [GroupLabel(conversation: party.group, title: "Party", topic: "")])
        try party.test.reopen()
        try party.test.store.rebuildProjections()
        let snapshot = try party.test.store.snapshot()
        #expect(snapshot.membership == [appointment, party.creation, addition])
        #expect(snapshot.conversations == [ConversationRecord(id: party.group, kind: .group)])
    }

    @Test func titlesAndTopicsFollowTheOrderShown() throws {
        var party = try Party(seed: 105)
        let second = party.bob.rename("Second", after: [party.creation.reference])
        let third = party.ada.rename("Third", after: [second.reference])
        let topic = party.eve.topic("Cake", after: [third.reference])
        let label = { GroupLabel(conversation: party.group, title: $0, topic: $1) }
        try party.test.persist([party.creation])
        #expect(try party.test.persist([topic]).labels.isEmpty)
        #expect(try party.test.persist([third]).labels.isEmpty)
        #expect(try party.test.persist([second]).labels == [label("Third", "Cake")])
        #expect(try party.test.persist([party.eve.topic("")]).labels == [label("Third", "")])
        // The removal has no marks for the logs of those whom it removes, so nothing in their logs counts.
        let known = [party.creation.id]
        let removal = party.ada.change(.remove, [party.eve.log.author, party.bob.log.author], known: known)
        #expect(try party.test.persist([removal]).labels.isEmpty)
        #expect(try party.test.store.snapshot().labels == [label("Third", "")])
        #expect(try party.lines() == ["* created Party", "* title Third", "* removed"])
        let one = try Party(seed: 105)
        try one.test.persist([party.creation, second])
        #expect(try one.test.store.snapshot().labels == [label("Second", "")])
        var batch = PersistBatch(id: BatchID(2))
        batch.membership = [removal]
        #expect(try one.test.store.persist(batch).labels == [label("Party", "")])
        #expect(try one.lines() == ["* created Party"])
    }

    /// The local identity wrote while it was no member: its messages are shown as failed, and nothing waits.
    @Test func whatCountsForNobodyIsNotWaitedFor() throws {
        var party = try Party(seed: 107)
        let me = party.ada.log
        let message = party.ada.say("heard")
        let appointment = party.ada.change(.appoint, [party.bob.log.author], known: [party.creation.id])
        let edit = party.ada.edit(message.reference, "heard by all")
        let mark = edit.header.sequence
        party.ada.edit(message.reference, "heard by nobody")
        party.ada.react(to: message.reference, "👍")
        party.ada.say("void")
        for _ in 0..<3 { party.ada.react(to: message.reference, "👍") }
        let after = [party.ada.reference].compactMap { $0 }
        party.bob.say("waits", after: [party.zoe.say("never comes").reference])
        let removal = party.bob.change(.remove, [me.author], known: [appointment.id], marks: [me: mark], after: after)
        let store = party.test.store
        try party.test.persist(party.ada.events)
        #expect(try store.waitingCounts(party.group, log: me, after: [0, mark]) == [2, 6])
        #expect(try store.ownChanges(party.group, log: me, after: 0, limit: 2).map(\.what) == [.edit, .edit])
        #expect(try store.ownChanges(party.group, log: me, after: mark, limit: 9).count == 5)

        var batch = PersistBatch(id: BatchID(5))
        batch.membership = [removal]
        let receipt = try store.persist(batch)
        #expect(receipt.voided.map(\.text) == ["void"] && receipt.voided.first?.isVoid == true)
        #expect(receipt.withdrawn.isEmpty, "its author still sees it")
        #expect(try store.waitingCounts(party.group, log: me, after: [0, mark]) == [2, 0])
        #expect(try store.ownChanges(party.group, log: me, after: 0, limit: 9).map(\.line.id) == [edit.id])
        let overlay = HistoryOverlay(doubtfulAfter: [me: mark], departures: [removal.id])
        let lines = try store.messages(overlay, in: party.group)
        #expect(lines.filter(\.isVoid).map(\.text) == ["void"])
        #expect(lines.compactMap(\.note) == [.removed([me.author])])
        // The log that contains the removal is held and waits, so the line has no other position.
        try party.test.persist(party.bob.events)
        #expect(try store.messages(overlay, in: party.group).compactMap(\.note) == [.removed([me.author])])
        try party.test.persist(party.zoe.events)
        #expect(try store.messages(overlay, in: party.group).filter { $0.note != nil }.isEmpty)
    }

    /// The owner of the store was removed and has not heard of it: what she writes after the mark does not count.
    private func removed(seed: UInt64) throws -> (party: Party, mark: UInt64) {
        var party = try Party(seed: seed)
        let known = party.ada.change(.appoint, [party.bob.log.author], known: [party.creation.id])
        let mark = known.header.sequence
        let me = party.ada.log
        var batch = PersistBatch(id: BatchID(5))
        batch.membership = [party.bob.change(.remove, [me.author], known: [known.id], marks: [me: mark])]
        _ = try party.test.store.persist(batch)
        return (party, mark)
    }

    private func void(_ party: Party, after mark: UInt64) throws -> [String] {
        try party.test.store.messages(HistoryOverlay(doubtfulAfter: [party.ada.log: mark]), in: party.group)
            .filter(\.isVoid).map(\.text)
    }

    @Test func theLastOfManyMessagesThatCountForNobodyAreShown() throws {
        var (party, mark) = try removed(seed: 108)
        for number in 0..<Limits.voidMessages { party.ada.say("\(number)") }
        try party.test.persist(party.ada.events)
        let all = (0...Limits.voidMessages).map { "\($0)" }
        #expect(try void(party, after: mark) == Array(all.dropLast()))
        let receipt = try party.test.persist([party.ada.say(all[Limits.voidMessages])])
        #expect(receipt.voided.map(\.text) == all.suffix(1) && receipt.withdrawn.isEmpty)
        #expect(try void(party, after: mark) == Array(all.dropFirst()))
    }

    @Test func messagesThatCountForNobodyAreLookedForAmongSoManyEvents() throws {
        var (party, mark) = try removed(seed: 109)
        party.ada.say("void")
        for _ in 1..<Limits.voidEvents { party.ada.append(.link, body: []) }
        try party.test.persist(party.ada.events)
        #expect(try void(party, after: mark) == ["void"])
        try party.test.persist([party.ada.append(.link, body: [])])
        #expect(try void(party, after: mark).isEmpty)
    }

    @Test func notesAreNoMessages() throws {
        var party = try Party(seed: 106)
        let topic = party.bob.topic("Cake", after: [party.creation.reference])
        try party.test.persist([party.creation, topic])
        var summary = try party.summary
        #expect(summary?.messages == 0 && summary?.unread == 0 && summary?.lastMessage?.line == "* topic Cake")
        #expect(try party.test.store.findMessages(idPrefix: topic.id.text).isEmpty)
        #expect(
            try party.test.store.findMessages(idPrefix: topic.id.text, includingNotes: true).map(\.id) == [topic.id]
        )
        #expect(try party.test.store.ownMessages(party.group, log: party.ada.log, after: 0, limit: 9).isEmpty)
        #expect(try party.test.store.waitingCounts(party.group, log: party.ada.log, after: [0]) == [0])
        try party.test.persist([party.bob.say("first"), party.bob.topic("Tea")])
        summary = try party.summary
        #expect(summary?.messages == 1 && summary?.unread == 1 && summary?.lastMessage?.line == "first")
        #expect(try party.test.store.versions(of: topic.reference, in: party.group).isEmpty)
    }

    @Test func recipientsAreReplaced() throws {
        let party = try Party(seed: 107)
        let peers = [party.bob.log.author, party.eve.log.author].sorted()
        var batch = PersistBatch(id: BatchID(2))
        batch.recipients = peers.map { RecipientRecord(conversation: party.group, peer: $0, after: 3) }
        _ = try party.test.store.persist(batch)
        batch.recipients[0].after = 9
        _ = try party.test.store.persist(batch)
        try party.test.reopen()
        #expect(try party.test.store.snapshot().recipients == batch.recipients)
    }
}
