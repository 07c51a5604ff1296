import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceStore
import ParlanceWire
import Testing

/// Events about messages: edits, deletions, reactions, answers and mentions.
@Suite struct AboutTests {
    @Test func laterEditWinsWhicheverComesFirst() throws {
        var party = try Party(seed: 201)
        let message = party.bob.say("one", after: [party.creation.reference])
        let first = party.bob.edit(message.reference, "two")
        let second = party.bob.edit(message.reference, "three")
        let foreign = party.eve.edit(message.reference, "not mine")
        try party.test.persist([party.creation, message])
        #expect(try party.test.persist([foreign]).changed.isEmpty)
        let receipt = try party.test.persist([first, second])
        #expect(receipt.changed.map(\.line) == ["three"] && receipt.shown.isEmpty)
        #expect(try party.message(message)?.rich?.versions == 3)
        let versions = try party.test.store.versions(of: message.reference, in: party.group)
        #expect(versions.map(\.text) == ["one", "two", "three"])
        #expect(versions.map(\.id) == [message.id, first.id, second.id])
        #expect(versions.map(\.time.claimed) == [message, first, second].map(\.header.time))
        // An edit by another replica of Bob's, whose clock is behind, is ordered before the others.
        var old = LogWriter(party.group, LogID(author: party.bob.log.author, replica: party.ada.log.replica), time: 5)
        try party.test.persist([old.edit(message.reference, "between")])
        #expect(try party.lines() == ["* created Party", "three"])
        let texts = try party.test.store.versions(of: message.reference, in: party.group).map(\.text)
        #expect(texts == ["one", "between", "two", "three"])
    }

    @Test func deletionWinsOverEveryEditAndDropsAllTexts() throws {
        var party = try Party(seed: 202)
        let message = party.bob.say("a secret", after: [party.creation.reference])
        let edit = party.bob.edit(message.reference, "an edited secret")
        try party.test.persist([party.creation, message, edit])
        #expect(try party.summary?.unread == 1)
        let deletion = party.ada.delete(message.reference, after: [edit.reference])
        let late = party.bob.edit(message.reference, "a late secret")
        let again = party.bob.delete(message.reference)
        for event in [deletion, late, again] { try party.test.persist([event]) }
        let rich = try #require(try party.message(message)?.rich)
        let first = [deletion, again].min { ($0.header.time, $0.id) < ($1.header.time, $1.id) }
        #expect(rich.deletion?.author == first?.header.log.author && rich.deletion?.time.claimed == first?.header.time)
        #expect(rich.text.isEmpty && rich.versions == 3)
        let versions = try party.test.store.versions(of: message.reference, in: party.group)
        #expect(versions.map(\.text) == [nil, nil, nil])
        let summary = try party.summary
        #expect(summary?.messages == 1 && summary?.unread == 0 && summary?.lastMessage?.line == "(deleted)")
        #expect(try party.test.store.snapshot().logs.allSatisfy { $0.missingBodies.isEmpty })
        try party.test.store.maintain()
        // The author has deleted the message, too.
        for text in ["a secret", "an edited secret", "a late secret"] {
            #expect(try !party.test.isOnDisk(text), "\(text)")
        }
        // A store that got the events from others, without their texts, shows the same.
        let other = try Party(seed: 202)
        let bare = [party.creation, message.withoutBody, edit.withoutBody, deletion, late.withoutBody, again]
        #expect(try other.test.persist(bare).missing.allSatisfy { $0.sequences.isEmpty })
        #expect(try other.history() == party.history())
    }

    @Test func lastReactionOfAMemberCounts() throws {
        var party = try Party(seed: 204)
        let message = party.ada.say("cake?")
        let target = message.reference
        try party.test.persist(party.ada.events)
        let one = party.bob.react(to: target, "👍")
        let off = party.bob.react(to: target, "👍", removed: true)
        let other = party.bob.react(to: target, "🎉")
        #expect(try party.test.persist([one]).changed.map(\.line) == ["cake? 👍1"])
        #expect(try party.test.persist([off]).changed.map(\.line) == ["cake?"])
        #expect(try party.message(message)?.content == .text("cake?"))
        try party.test.persist([other, party.eve.react(to: target, "👍"), party.zoe.react(to: target, "👎")])
        let reactions = try party.message(message)?.rich?.reactions
        #expect(reactions?.count == 2 && reactions?.contains { $0.emoji == "👎" } == false)
        try party.test.persist([party.bob.react(to: target, "👍")])
        let members = try party.message(message)?.rich?.reactions.first { $0.emoji == "👍" }?.members
        #expect(members == [party.eve.log.author, party.bob.log.author])
    }

    @Test func answersQuoteThePresentText() throws {
        var party = try Party(seed: 205)
        let long = String(repeating: "é", count: 400)
        let question = party.bob.say(long, after: [party.creation.reference])
        let answer = party.eve.say("yes", to: question.reference)
        let receipt = try party.test.persist([party.creation, question, answer])
        let quote = { (text: String) in RichMessage.Quote(message: question.reference, text: text) }
        #expect(receipt.shown.last?.rich?.quote == quote(String(repeating: "é", count: 250)))
        // An edit in the same transaction as an answer to the edited message: the quote has the new text.
        let edit = party.bob.edit(question.reference, "short")
        let more = party.eve.say("still yes", to: question.reference)
        #expect(try party.test.persist([more, edit]).shown.map(\.rich?.quote) == [quote("short")])
        #expect(try party.message(answer)?.rich?.quote == quote("short"))
        // The answers are told too, because their quotes change.
        let changed = try party.test.persist([party.bob.delete(question.reference)]).changed
        #expect(changed.map(\.id) == [question.id, answer.id, more.id])
        #expect(changed.dropFirst().map(\.rich?.quote) == [quote(""), quote("")])
        #expect(try party.message(answer)?.rich?.quote == quote(""))
        // Messages that stay as they were are not told.
        #expect(try party.test.persist([party.bob.delete(question.reference)]).changed.isEmpty)
        // A target in the author's own log that has another ID, and one that is not a message, have no effect.
        let wrong = EventReference(log: party.eve.log, sequence: 1, id: question.id)
        let plain = party.eve.say("plain", to: wrong)
        let note = party.eve.say("about a note", to: party.creation.reference)
        try party.test.persist([plain, note, party.eve.edit(wrong, "no effect"), party.eve.delete(wrong)])
        #expect(try party.message(plain)?.content == .text("plain"))
        #expect(try party.message(note)?.content == .text("about a note"))
    }

    @Test func unreadMentionsAreCounted() throws {
        var party = try Party(seed: 206)
        let me = party.test.me
        let first = party.bob.say("@Ada", after: [party.creation.reference], mentioning: [me])
        let second = party.bob.say("nobody", mentioning: [party.eve.log.author])
        try party.test.persist([party.creation, first, second])
        #expect(try party.message(second)?.rich?.mentions == [party.eve.log.author])
        #expect(try party.summary?.mentions == 1)
        try party.test.persist([party.bob.edit(second.reference, "@Ada after all", mentioning: [me])])
        #expect(try party.summary?.mentions == 2)
        try party.test.persist([party.bob.edit(first.reference, "nobody")])
        #expect(try party.summary?.mentions == 1 && party.summary?.unread == 2)
        var random = SeededGenerator(seed: 2)
        let key = WatermarkRecord.Key(
            conversation: party.group,
            member: me,
            replica: random.replica(),
            log: party.bob.log,
            level: .read
        )
        var batch = PersistBatch(id: BatchID(2))
        batch.watermarks = [WatermarkRecord(key: key, position: second.position, signature: nil, learnt: 1)]
        _ = try party.test.store.persist(batch)
        #expect(try party.summary?.mentions == 0 && party.summary?.unread == 0)
        try party.test.persist([party.bob.say("@Ada again", mentioning: [me])])
        #expect(try party.summary?.mentions == 1)
        try party.test.store.rebuildProjections()
        #expect(try party.summary?.mentions == 1 && party.summary?.unread == 1)
    }

    @Test func bodyThatComesLaterIsTakenIfItIsTheOne() throws {
        var party = try Party(seed: 207)
        let message = party.bob.say("late", after: [party.creation.reference])
        let receipt = try party.test.persist([party.creation, message.withoutBody])
        #expect(receipt.shown.map(\.line) == ["* created Party"])
        #expect(receipt.missing.map(\.sequences) == [[1]])
        var wrong = message
        wrong.body = [1]
        #expect(try party.fill([wrong, party.creation]) == PersistReceipt())
        let found = try party.fill([message])
        #expect(found.shown.map(\.line) == ["late"] && found.missing.map(\.sequences) == [[]])
        #expect(try party.fill([message]) == PersistReceipt())
        #expect(try party.summary?.unread == 1)
    }
}
