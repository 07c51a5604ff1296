import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceWire
import Testing

@testable import ParlanceStore

/// Which files the messages name that are shown.
@Suite struct FileMentionTests {
    private static func mention(_ number: UInt8, _ name: String) -> FileMention {
        FileMention(
            file: FileID(value: Bytes32(hashing: [number], domain: Domain.branch)),
            name: name,
            size: UInt64(number)
        )
    }

    private let plan = mention(1, "ground plan.pdf")
    private let photo = mention(2, "roof.jpg")

    @Test func aMessageNamesFilesAsLongAsItIsShown() throws {
        var office = try Office(seed: 301)
        let (store, id) = (office.test.store, office.conversation.id)
        let first = office.theirs.say("", with: [plan, photo])
        let receipt = try office.test.persist([first])
        #expect(receipt.shown.map(\.rich?.files) == [[plan, photo]])
        let second = office.mine.say("again", with: [plan])
        try office.test.persist([second, office.mine.edit(second.reference, "and again")])
        #expect(try store.messagesWithFiles(in: id, limit: 9).map(\.text) == ["and again", ""])
        #expect(try store.messagesWithFiles(limit: 1).map(\.rich?.files) == [[plan]])
        #expect(try store.messagesWithFiles(idPrefix: String(photo.file.text.prefix(8))).map(\.id) == [first.id])
        #expect(try store.messagesWithFiles(idPrefix: plan.file.text).count == 2)
        #expect(try store.messagesWithFiles(idPrefix: "a").isEmpty)
        #expect(try store.filesNamed() == NamedFiles(all: [plan.file, photo.file], own: [plan.file]))
        #expect(try store.names(plan.file, in: id) && store.names(photo.file, in: id))
        let other = ConversationID(direct: office.test.me, PeerID(value: Bytes32(hashing: [9], domain: Domain.branch)))
        #expect(try !store.names(plan.file, in: other) && store.messagesWithFiles(in: other, limit: 9).isEmpty)
        // Whatever order it is computed in.
        let before = try store.history(id, limit: 9)
        try store.rebuildProjections()
        #expect(try store.history(id, limit: 9) == before && store.filesNamed().all == [plan.file, photo.file])
        // The author deletes one, and the file that nothing else names goes with it.
        try office.test.persist([office.theirs.delete(first.reference)])
        #expect(try store.filesNamed().all == [plan.file] && !store.names(photo.file, in: id))
        try store.maintain()
        #expect(try !office.test.isOnDisk("roof.jpg"))
        try office.test.reopen()
        #expect(try office.test.store.filesNamed().all == [plan.file])
    }

    @Test func namesAreFoundAndFilesCanBeRequired() throws {
        var office = try Office(seed: 302)
        let events = [
            office.theirs.say("the house", with: [plan]), office.theirs.say("the house alone"),
            office.theirs.say("", with: [photo]),
        ]
        try office.test.persist(events)
        for isIndexed in [false, true] {
            if isIndexed { try office.test.index() }
            let store = office.test.store
            #expect(try store.search("ground").found.map(\.message.id) == [events[0].id])
            #expect(try store.search("roof.jpg").found.map(\.excerpt.text) == ["roof.jpg"])
            #expect(try Set(store.search("house").found.map(\.message.id)) == [events[0].id, events[1].id])
            let house = try store.search("house") { $0.hasFile = true }
            #expect(house.found.map(\.message.id) == [events[0].id])
            let part = try store.search("*ous*") { $0.hasFile = true }
            #expect(part.found.map(\.message.id) == [events[0].id])
            let both = try store.search("house *ous*") { $0.hasFile = true }
            #expect(both.found.map(\.message.id) == [events[0].id])
            let all = try store.search("has:file") { request in
                request.hasFile = true
                request.order = .newest
            }
            #expect(all.found.map(\.message.id) == [events[2].id, events[0].id])
        }
        try office.test.persist([office.theirs.edit(events[0].reference, "the garden")])
        #expect(try office.test.store.search("ground").found.map(\.message.text) == ["the garden"])
        try office.test.persist([office.theirs.delete(events[2].reference)])
        #expect(try office.test.store.search("roof").found.isEmpty)
        #expect(try office.test.indexedWords("roof").isEmpty)
    }

    /// What an admin deleted comes back, with its files, when the deletion turns out void.
    @Test func aVoidDeletionGivesTheFilesBack() throws {
        var party = try Party(seed: 303)
        let appointment = party.ada.change(.appoint, [party.bob.log.author], known: [party.creation.id])
        let message = party.eve.say("keep me", after: [appointment.reference], with: [plan])
        let deletion = party.bob.delete(message.reference, after: [message.reference])
        let removal = party.ada.change(.remove, [party.bob.log.author], known: [appointment.id])
        try party.test.persist([party.creation, appointment, message])
        #expect(try party.test.store.names(plan.file, in: party.group))
        try party.test.persist([deletion])
        #expect(try party.test.store.filesNamed().all.isEmpty)
        let receipt = try party.test.persist([removal])
        #expect(receipt.changed.map(\.rich?.files) == [[plan]])
        #expect(try party.test.store.names(plan.file, in: party.group))
    }
}
