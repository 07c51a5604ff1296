import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceStore
import ParlanceTestKit
import ParlanceWire
import Testing

/// A message with very many answers and reactions. The store and the plain rules must give the same receipt for each
/// batch.
@Suite struct PopularMessageTests {
    private struct Both {
        let party: Party
        var disk: SimulatedDisk

        init(_ party: Party) throws {
            self.party = party
            disk = SimulatedDisk(name: "Ada", identity: party.test.store.identity)
            var batch = PersistBatch(id: BatchID(1))
            batch.conversations = [ConversationRecord(id: party.group, kind: .group)]
            try disk.persist(batch)
        }

        @discardableResult
        mutating func persist(_ events: [StoredEvent]) throws -> PersistReceipt {
            var batch = PersistBatch(id: BatchID(2))
            batch.events = events
            let receipt = try party.test.store.persist(batch)
            #expect(receipt.difference(from: try disk.persist(batch)) == nil)
            #expect(try party.test.store.history(party.group, limit: 1000) == disk.history(of: party.group))
            return receipt
        }
    }

    /// Only the last `answersTold` answers are told when the text that they quote changes; older ones show the new text
    /// when they are read.
    @Test func lastAnswersAreToldOfWhatTheyQuote() throws {
        var party = try Party(seed: 211)
        var both = try Both(party)
        let question = party.bob.say("one", after: [party.creation.reference])
        let answers = (0..<Limits.answersTold + 10).map { party.eve.say("\($0)", to: question.reference) }
        try both.persist([party.creation, question] + answers)
        let told = Array(answers.suffix(Limits.answersTold).map(\.id))
        let edited = try both.persist([party.bob.edit(question.reference, "two")]).changed
        #expect(edited.map(\.id) == [question.id] + told)
        #expect(try party.message(answers[0])?.rich?.quote?.text == "two")
        // Two old answers get reactions too; the second reaction changes nothing that is shown.
        let seen = party.bob.react(to: answers[1].reference, "👍")
        let unseen = party.bob.react(to: answers[2].reference, "👍", removed: true)
        let again = try both.persist([seen, unseen, party.bob.edit(question.reference, "three")]).changed
        #expect(Set(again.map(\.id)) == Set([question.id, answers[1].id] + told))
        #expect(again.allSatisfy { $0.id == question.id || $0.rich?.quote?.text == "three" })
        // No answers are told if the text that they quote stays the same.
        let reaction = party.bob.react(to: question.reference, "👍")
        #expect(try both.persist([reaction]).changed.map(\.id) == [question.id])
    }

    /// The last reaction of each member with each emoji counts, from whichever replica it comes.
    @Test func lastOfEachMemberAndEmojiStands() throws {
        var party = try Party(seed: 212)
        var both = try Both(party)
        let message = party.ada.say("cake?")
        let target = message.reference
        try both.persist(party.ada.events)
        var other = LogWriter(party.group, LogID(author: party.bob.log.author, replica: party.ada.log.replica))
        other.time += 1 << 15
        var events: [StoredEvent] = []
        // The third and fourth emoji differ only in their bytes.
        let emoji = ["a", "b", "\u{e9}", "e\u{301}"]
        for round in 0..<40 {
            events.append(party.bob.react(to: target, emoji[round % 3], removed: round % 2 == 0))
            events.append(other.react(to: target, emoji[round % 4], removed: round % 5 == 0))
            events.append(party.eve.react(to: target, "b", removed: round % 4 == 3))
        }
        for more in ["c", "a", "c"] { events.append(party.eve.react(to: target, more)) }
        let wanted = standing(after: events)
        #expect(wanted.count >= 3 && wanted.contains { $0.members.count > 1 })
        // All events at once, and then one by one in the order of their logs.
        try both.persist(events)
        #expect(try party.message(message)?.rich?.reactions == wanted)
        let late = try Party(seed: 212)
        var rest = try Both(late)
        try rest.persist(party.ada.events)
        for log in [party.eve.log, other.log, party.bob.log] {
            for event in events where event.log == log { try rest.persist([event]) }
        }
        #expect(try late.message(message)?.rich?.reactions == wanted)
    }

    private func standing(after events: [StoredEvent]) -> [RichMessage.Reaction] {
        var last: [(emoji: [UInt8], member: PeerID)] = []
        for event in events.sorted(by: { ($0.header.time, $0.id) < ($1.header.time, $1.id) }) {
            guard case .reaction(let text, let removed) = Projector.judge(event, after: nil) else { continue }
            let (emoji, member) = (Array(text.utf8), event.header.log.author)
            last.removeAll { $0.emoji == emoji && $0.member == member }
            if !removed { last.append((emoji, member)) }
        }
        var shown: [RichMessage.Reaction] = []
        for (emoji, member) in last {
            if let place = shown.firstIndex(where: { Array($0.emoji.utf8) == emoji }) {
                shown[place].members.append(member)
            } else {
                shown.append(RichMessage.Reaction(emoji: String(decoding: emoji, as: UTF8.self), members: [member]))
            }
        }
        return shown
    }
}
