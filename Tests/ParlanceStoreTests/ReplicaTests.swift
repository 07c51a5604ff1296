import GRDB
import ParlanceCore
import ParlanceRecords
import ParlanceWire
import Testing

@testable import ParlanceStore

/// A store that turns out to be a copy goes on as another replica, and loses nothing.
@Suite struct ReplicaTests {
    private func marks(of office: Office) throws -> StoreMarks {
        office.test.store.close()
        var seen: StoreMarks?
        try office.test.reopen { marks in
            seen = marks
            return true
        }
        return try #require(seen)
    }

    @Test func marksSayWhatTheStoreIs() throws {
        let office = try Office(seed: 1)
        let first = try marks(of: office)
        #expect(first.replica == office.test.replica && first.epoch == 0 && first.generation == 0)
        _ = try office.test.store.beginEpoch()
        try office.test.store.raiseGeneration(to: 5)
        // The generation never falls.
        try office.test.store.raiseGeneration(to: 4)
        let second = try marks(of: office)
        #expect(second.epoch == 1 && second.generation == 5 && second.file == first.file)
    }

    @Test func aCopyIsAnotherFile() throws {
        let office = try Office(seed: 2)
        let own = try marks(of: office)
        let other = office.test.folder + "-copy"
        defer { office.test.remove(other) }
        try office.test.copyFiles(to: other)
        var seen: StoreMarks?
        let copy = try office.test.open(other) { marks in
            seen = marks
            return true
        }
        copy.close()
        #expect(seen?.file.inode != own.file.inode)
        #expect(seen?.replica == own.replica)
    }

    @Test func aNewReplicaStartsAgainBesideTheOldOne() throws {
        var office = try Office(seed: 3)
        let old = office.test.log
        for _ in 1...3 { _ = try office.test.store.beginEpoch() }
        var events = [office.mine.say("one")]
        events.append(office.theirs.say("two", after: [try #require(office.mine.reference)]))
        events.append(office.mine.say("three", after: [try #require(office.theirs.reference)], signed: false))
        try office.test.persist(events)
        try office.test.name(office.theirs.log, through: 1, in: office.conversation.id)
        let before = try office.test.store.snapshot()

        try office.test.reopen { _ in false }
        #expect(office.test.store.replica == office.test.otherReplica)
        #expect(try office.test.store.beginEpoch() == 1)
        // What the old replica wrote stays, and so does how far its log had named the others: an event that names that
        // log has named them too.
        #expect(before.logs.map(\.namedThrough).sorted() == [0, 1])
        #expect(try office.test.store.snapshot() == before)
        #expect(before.logs.first { $0.log == old }?.signedThrough.sequence == 1)

        var next = LogWriter(office.conversation.id, LogID(author: office.test.me, replica: office.test.otherReplica))
        try office.test.persist([next.say("four", after: [try #require(office.mine.reference)])])
        #expect(try office.texts() == ["one", "two", "three", "four"])
        try office.test.store.rebuildProjections()
        #expect(try office.texts() == ["one", "two", "three", "four"])
        #expect(try office.test.store.conversations().map(\.unread) == [1])
        // The store keeps that replica.
        try office.test.reopen()
        #expect(office.test.store.replica == office.test.otherReplica)
        #expect(try office.test.store.beginEpoch() == 2)
    }

    @Test func aStoreOfTheFirstVersionIsBroughtUp() throws {
        var office = try Office(seed: 4)
        _ = try office.test.store.beginEpoch()
        try office.test.persist([office.mine.say("kept")])
        try office.test.makeFirstVersion()
        let found = try marks(of: office)
        #expect(found.generation == 0 && found.epoch == 1 && found.replica == office.test.replica)
        #expect(try office.texts() == ["kept"])
    }
}
