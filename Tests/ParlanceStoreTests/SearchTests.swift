import Foundation
import GRDB
import ParlanceCore
import ParlanceRecords
import ParlanceStore
import ParlanceWire
import Testing

/// Searching: the index follows the other projections, and nothing is found that is not shown.
@Suite struct SearchTests {
    @Test func messagesAreFoundBeforeAndAfterTheyAreIndexed() throws {
        var office = try Office(seed: 401)
        // Each is written seconds after the one before: times have 16 bits below a millisecond.
        let question = office.mine.say("Lunch on Friday?")
        office.theirs.time += 2_000 << 16
        try office.test.persist([question, office.theirs.say("Friday is fine")])
        #expect(try office.found("friday") == ["Friday is fine", "Lunch on Friday?"])
        try office.test.index()
        #expect(try office.test.store.search("friday").unsearched == 0)
        #expect(try office.found("friday") == ["Friday is fine", "Lunch on Friday?"])
        office.mine.time += 4_000 << 16
        try office.test.persist([office.mine.say("Friday, then")])
        #expect(try office.found("friday") == ["Friday, then", "Friday is fine", "Lunch on Friday?"])
        try office.test.index()
        #expect(try office.found("friday") == ["Friday, then", "Friday is fine", "Lunch on Friday?"])
        #expect(try office.found("lunch friday") == ["Lunch on Friday?"])
        #expect(try office.found("\"fine friday\"").isEmpty)
        #expect(try office.found("*rida*").count == 3)
        #expect(try office.found("frida").isEmpty && office.found("frida*").count == 3)
    }

    /// Somebody without umlauts on the keyboard writes "groesse"; "neue" has none.
    @Test func umlautsAreFoundAsTheyAreWrittenWithoutThem() throws {
        var office = try Office(seed: 411)
        let texts = [
            "Die Größe passt", "Groesse 42", "Übergabe um drei", "die Schlüsselübergabe", "neu hier", "neue Aue",
            "das Auto", "Poesie", "Posie", "U\u{308}bung", "Grosse Freude", "Michal", "Michael", "Heizöl bestellt",
        ]
        for text in texts {
            office.mine.time += 2_000 << 16
            try office.test.persist([office.mine.say(text)])
        }
        for isIndexed in [false, true] {
            if isIndexed { try office.test.index() }
            func found(_ query: String) throws -> Set<String> { Set(try office.found(query)) }
            #expect(try found("groesse") == ["Die Größe passt", "Groesse 42"])
            #expect(try found("größe") == ["Die Größe passt", "Groesse 42", "Grosse Freude"])
            #expect(try found("GROESSE*") == ["Die Größe passt", "Groesse 42"])
            #expect(try found("\"die groesse\"") == ["Die Größe passt"])
            #expect(try found("uebergabe") == ["Übergabe um drei"])
            #expect(try found("schluesseluebergabe") == ["die Schlüsselübergabe"])
            #expect(try found("*luessel*") == ["die Schlüsselübergabe"])
            #expect(try found("*heizoel*") == ["Heizöl bestellt"])
            #expect(try found("uebung") == ["U\u{308}bung"] && found("übung") == ["U\u{308}bung"])
            #expect(try found("neue") == ["neue Aue"] && found("aue*") == ["neue Aue"] && found("neu") == ["neu hier"])
            #expect(try found("poesie") == ["Poesie"] && found("michael") == ["Michael"])
        }
        // What was found is marked.
        let marked = try #require(try office.test.store.search("uebergabe").found.first)
        #expect(marked.excerpt.text.contains("Übergabe") && !marked.excerpt.marks.isEmpty)
    }

    @Test func editReplacesTheTextInTheIndex() throws {
        var party = try Party(seed: 402)
        let message = party.bob.say("the first zephyr", after: [party.creation.reference])
        try party.test.persist([party.creation, message])
        try party.test.index()
        try party.test.persist([party.bob.edit(message.reference, "the second quartz")])
        #expect(try party.found("zephyr").isEmpty && party.found("first").isEmpty)
        #expect(try party.found("quartz") == ["the second quartz"])
        #expect(try party.test.indexedWords("zephyr").isEmpty)
        // What is about the message and does not change its text leaves the index alone.
        try party.test.persist([party.eve.react(to: message.reference, "👍")])
        #expect(try party.found("quartz") == ["the second quartz"])
        try party.test.persist([party.bob.edit(message.reference, "the third zephyr")])
        #expect(try party.found("quartz").isEmpty && party.found("zephyr") == ["the third zephyr"])
    }

    @Test func deletedTextLeavesTheIndexAndTheFiles() throws {
        var party = try Party(seed: 403)
        let secret = party.bob.say("qzxjwv is secret", after: [party.creation.reference])
        let edited = party.bob.say("harmless")
        let edit = party.bob.edit(edited.reference, "vqkzzy is secret too")
        try party.test.persist([party.creation, secret, edited, edit] + party.bob.sayMany(3000))
        while try party.test.store.searchStep() {}
        try party.test.store.maintain()
        for word in ["qzxjwv", "vqkzzy"] { #expect(try party.test.isOnDisk(word), "\(word)") }
        #expect(try party.found("secret").count == 2)
        try party.test.persist([party.bob.delete(secret.reference), party.bob.withdraw(edited.header.sequence)])
        #expect(try party.found("secret").isEmpty && party.found("*zxj*").isEmpty)
        try party.test.index()
        for word in ["qzxjwv", "vqkzzy", "qzx", "vqk"] {
            #expect(try !party.test.isOnDisk(word), "\(word)")
            #expect(try party.test.indexedWords(word).isEmpty, "\(word)")
        }
    }

    @Test func textThatAnAdminDeletedIsNotFound() throws {
        var party = try Party(seed: 404)
        let message = party.bob.say("qzxjwv by Bob", after: [party.creation.reference])
        try party.test.persist([party.creation, message])
        try party.test.index()
        try party.test.persist([party.ada.delete(message.reference)])
        try party.test.index()
        #expect(try party.found("qzxjwv").isEmpty)
        #expect(try party.test.indexedWords("qzxjwv").isEmpty)
    }

    @Test func textOfABlockedPersonIsNotFound() throws {
        var party = try Party(seed: 405)
        let message = party.bob.say("noise by Bob", after: [party.creation.reference])
        try party.test.persist([party.creation, message, party.eve.say("noise by Eve")])
        try party.test.index()
        #expect(try Set(party.found("noise")) == ["noise by Bob", "noise by Eve"])
        var batch = PersistBatch(id: BatchID(7))
        batch.peers = [PeerRecord(id: party.bob.log.author)]
        batch.peers[0].trust = .blocked
        _ = try party.test.store.persist(batch)
        #expect(try party.found("noise") == ["noise by Eve"])
        batch.peers[0].trust = .accepted
        _ = try party.test.store.persist(batch)
        #expect(try party.found("noise").count == 2)
    }

    @Test func lateBodyIsFoundOnceItIsThere() throws {
        var party = try Party(seed: 406)
        let message = party.bob.say("a late word", after: [party.creation.reference])
        try party.test.persist([party.creation, message.withoutBody])
        try party.test.index()
        #expect(try party.found("late").isEmpty)
        _ = try party.fill([message])
        #expect(try party.found("late") == ["a late word"])
        #expect(try party.test.indexedWords("late").count == 1)
    }

    @Test func rebuiltIndexFindsTheSame() throws {
        var party = try Party(seed: 407)
        var random = SeededGenerator(seed: 407)
        try party.test.persist([party.creation])
        var known: [StoredEvent] = []
        for round in 0..<120 {
            let text = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                Self.words.randomElement(using: &random) ?? ""
            }
            let line = text.joined(separator: " ")
            let event: StoredEvent
            switch Int.random(in: 0..<10, using: &random) {
            case 0 where !known.isEmpty:
                let target = known[Int.random(in: 0..<known.count, using: &random)]
                event = party.bob.edit(target.reference, line)
            case 1 where !known.isEmpty:
                event = party.ada.delete(known[Int.random(in: 0..<known.count, using: &random)].reference)
            case 2: event = party.eve.say(line, after: [party.creation.reference])
            default:
                event = party.bob.say(line, after: [party.creation.reference])
                known.append(event)
            }
            try party.test.persist([event])
            if round % 7 == 0 { try party.test.index() }
        }
        let before = try Self.words.map { try party.test.store.search($0).found }
        #expect(before.contains { $0.count > 3 })
        try party.test.index()
        #expect(try Self.words.map { try party.test.store.search($0).found } == before)
        try party.test.store.rebuildProjections()
        #expect(try Self.words.map { try party.test.store.search($0).found } == before)
        try party.test.index()
        #expect(try Self.words.map { try party.test.store.search($0).found } == before)
        try party.test.reopen()
        #expect(try Self.words.map { try party.test.store.search($0).found } == before)
        for word in Self.words {
            let shown = try party.history().filter { message in
                message.text.split(separator: " ").contains { $0 == word } && message.rich?.deletion == nil
            }
            #expect(try party.test.indexedWords(word).count == shown.count, "\(word)")
        }
    }

    private static let words = ["lunch", "friday", "pump", "quartz", "boat", "ladder", "Müller", "東京", "key"]

    @Test func peopleConversationsAndTimesNarrowASearch() throws {
        var party = try Party(seed: 408)
        let first = party.bob.say("tea at noon", after: [party.creation.reference])
        let earlier = party.eve.say("coffee", after: [party.creation.reference])
        let second = party.eve.say("tea at four", after: [first.reference])
        try party.test.persist([party.creation, first, earlier, second])
        for _ in 0...1 {
            let by = { (author: PeerID) throws in
                try party.test.store.search("tea") { $0.authors = [author] }.found.map(\.message.text)
            }
            #expect(try by(party.bob.log.author) == ["tea at noon"])
            #expect(try by(party.eve.log.author) == ["tea at four"])
            #expect(try by(party.test.me).isEmpty)
            let inside = try party.test.store.search("tea") { $0.conversations = [party.group] }
            #expect(inside.count == 2)
            let other = ConversationID(direct: party.test.me, party.bob.log.author)
            #expect(try party.test.store.search("tea") { $0.conversations = [other] }.count == 0)
            let time = second.header.time.milliseconds
            #expect(try party.test.store.search("tea") { $0.before = time }.found.map(\.message.id) == [first.id])
            #expect(try party.test.store.search("tea") { $0.after = time }.found.map(\.message.id) == [second.id])
            // Everything of a person, without a word.
            var all = SearchRequest(terms: [], limit: 10, at: 0)
            all.authors = [party.eve.log.author]
            #expect(try party.test.store.search(all).found.map(\.message.text) == ["tea at four", "coffee"])
            all.authors = nil
            all.after = time
            #expect(try party.test.store.search(all).found.map(\.message.text) == ["tea at four"])
            try party.test.index()
        }
    }

    @Test func messagesBeyondTheTailWaitForTheIndexAndAreCounted() throws {
        var office = try Office(seed: 409)
        try office.test.persist((0...Limits.searchTailEvents).map { office.mine.say("message \($0)") })
        let before = try office.test.store.search("message")
        #expect(before.count == 0 && before.unsearched == Limits.searchTailEvents + 1)
        #expect(try office.test.store.searchStep())
        let during = try office.test.store.search("message")
        #expect(during.unsearched == 0 && during.isCut && during.count == Limits.searchMatches)
        while try office.test.store.searchStep() {}
        // What is not worth a step is found all the same.
        #expect(try office.test.store.search("\(Limits.searchTailEvents)").count == 1)
        #expect(try office.test.store.search("\"message 7\"").count == 1)
    }

    @Test func pagesFollowEachOther() throws {
        var office = try Office(seed: 410)
        try office.test.persist((1...25).map { office.mine.say("page of \($0)") })
        let all = try office.test.store.search("page") { $0.limit = 100 }
        #expect(all.count == 25 && all.found.first?.message.text == "page of 25")
        var paged: [SearchResults.Found] = []
        for page in 0..<4 {
            paged += try office.test.store.search("page") {
                $0.limit = 8
                $0.offset = page * 8
            }.found
        }
        #expect(paged == all.found)
    }

    @Test func indexSurvivesAForkAndFindsBothBranches() throws {
        var office = try Office(seed: 411)
        var random = SeededGenerator(seed: 411)
        for count in 1...4 { office.theirs.say("common \(count)") }
        var other = office.theirs.forked(after: 2, &random)
        other.say("elsewhere 3")
        try office.test.persist(office.theirs.events)
        try office.test.index()
        #expect(try office.test.store.search("common").count == 4)
        var batch = PersistBatch(id: BatchID(5))
        batch.branches = PartedLogs([office.theirs, other]).parts.compactMap(\.record)
        let first = try #require(other.events.last)
        let name = batch.branches.first { $0.first == first.id }?.log
        batch.events = [first]
        batch.events[0].branch = name
        _ = try office.test.store.persist(batch)
        #expect(try Set(office.found("common")) == ["common 1", "common 2", "common 3", "common 4"])
        #expect(try office.found("elsewhere") == ["elsewhere 3"])
        try office.test.index()
        #expect(try office.test.store.search("common").count == 4)
        #expect(try office.found("elsewhere") == ["elsewhere 3"])
    }
}
