import Foundation
import GRDB
import ParlanceCore
import ParlanceRecords
import ParlanceWire
import ParlanceWords
import Testing

@testable import ParlanceStore

/// Stores of earlier schema versions; `Fixtures/README.md` says how each was made.
@Suite struct UpgradeTests {
    /// A folder that is removed with this object.
    private final class Folder {
        let path = NSTemporaryDirectory() + "/parlance-upgrade-\(UUID().uuidString)"

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var copies: [String] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            return names.filter { $0.hasPrefix("store.sqlite.before-") }.sorted()
        }

        func open(as identity: PeerID) throws -> Store {
            let replica = try #require(ReplicaID([UInt8](repeating: 9, count: ReplicaID.count)))
            return try Store.open(
                at: path,
                identity: identity,
                newReplica: replica,
                profile: ProfileRecord(name: "nobody"),
                isSameCopy: { _ in true }
            )
        }

        func version(of file: String) throws -> Int? {
            var configuration = Configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path + "/" + file, configuration: configuration)
            defer { try? queue.close() }
            return try queue.read { db in
                guard try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok" else { return nil }
                return try Int.fetchOne(db, sql: "PRAGMA user_version")
            }
        }
    }

    /// When you add a step to the schema, add a store of the version before it (`Fixtures/README.md`).
    @Test(arguments: 1..<Schema.version) func everyEarlierVersionOpensAndShowsTheSame(version: Int) throws {
        let fixture = try Fixture(version: version)
        let folder = Folder()
        try fixture.unpack(to: folder.path)
        #expect(try folder.version(of: "store.sqlite") == version)
        let identity = try #require(fixture.identity)
        for _ in 0...1 {
            let store = try folder.open(as: identity)
            defer { store.close() }
            let shown = try Fixture.shown(by: store)
            for name in fixture.shown.keys.sorted() {
                #expect(shown[name] == fixture.shown[name], "version \(version): \(name)")
            }
            #expect(folder.copies == ["store.sqlite.before-\(version)"])
        }
        #expect(try folder.version(of: "store.sqlite") == Schema.version)
        #expect(try folder.version(of: "store.sqlite.before-\(version)") == version)
        let attributes = try FileManager.default.attributesOfItem(
            atPath: folder.path + "/store.sqlite.before-\(version)"
        )
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    /// Version 24 keeps the last number of the order in which the owner wrote elsewhere than version 23 did.
    @Test func theOrderOfWritingGoesOn() throws {
        let fixture = try Fixture(version: 23)
        let folder = Folder()
        try fixture.unpack(to: folder.path)
        let identity = try #require(fixture.identity)
        func numbers() throws -> [Int64] {
            let queue = try DatabaseQueue(path: folder.path + "/store.sqlite")
            defer { try? queue.close() }
            return try queue.read { try Int64.fetchAll($0, sql: "SELECT written FROM event WHERE written IS NOT NULL") }
        }
        let before = try numbers()
        let last = try #require(before.max())
        let store = try folder.open(as: identity)
        let peer = PeerID(value: .zero)
        let conversation = ConversationRecord(id: ConversationID(direct: identity, peer), kind: .direct(peer))
        let replica = try #require(ReplicaID([UInt8](repeating: 8, count: ReplicaID.count)))
        var log = LogWriter(conversation.id, LogID(author: identity, replica: replica))
        for number in 1...2 {
            var batch = PersistBatch(id: BatchID(UInt64(number)))
            if number == 1 { batch.conversations = [conversation] }
            batch.events = [log.say("\(number)")]
            _ = try store.persist(batch)
        }
        store.close()
        #expect(try numbers().sorted().suffix(2) == [last + 1, last + 2] && before.count > 1)
    }

    @Test func aCopyThatCannotBeRemovedIsNamed() throws {
        let folder = Folder()
        let copy = UpgradeCopy(folder: StoreFolder(path: folder.path))
        // A folder is not removed as a file is.
        let left = copy.path(of: 1)
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        let later = Date(timeIntervalSinceNow: Double(Limits.deletedTextMilliseconds) / 1000 + 60)
        copy.deleteOld(at: later)
        #expect(copy.expired(at: later) == [left] && copy.expired().isEmpty)
    }

    /// One copy is kept, and only for a while, because it contains what is deleted from the store later.
    @Test func oneCopyIsKeptForAWhile() throws {
        let fixture = try Fixture(version: 1)
        let folder = Folder()
        try fixture.unpack(to: folder.path)
        for name in ["store.sqlite.before-0", "store.sqlite.before-1.part"] {
            try Data("old".utf8).write(to: URL(fileURLWithPath: folder.path + "/" + name))
        }
        let identity = try #require(fixture.identity)
        try folder.open(as: identity).close()
        #expect(folder.copies == ["store.sqlite.before-1"])
        let age = Double(Limits.deletedTextMilliseconds) / 1000
        for (extra, isKept) in [(60.0, true), (-60.0, false)] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: extra - age)],
                ofItemAtPath: folder.path + "/store.sqlite.before-1"
            )
            try folder.open(as: identity).close()
            #expect(folder.copies.isEmpty != isKept)
        }
    }

    /// Without room for the copy nothing is done, and the error says so.
    @Test func fullDiskLeavesAnOldStoreAsItIs() async throws {
        await #expect(processExitsWith: .success) {
            let fixture = try Fixture(version: 1)
            let folder = Folder()
            try fixture.unpack(to: folder.path)
            let file = URL(fileURLWithPath: folder.path + "/store.sqlite")
            let before = try Data(contentsOf: file)
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(1), &limit)
            let whole = limit.rlim_cur
            limit.rlim_cur = rlim_t(before.count / 2)
            guard setrlimit(__rlimit_resource_t(1), &limit) == 0 else { exit(2) }
            do {
                _ = try folder.open(as: try #require(fixture.identity))
                exit(3)
            } catch let error as StoreError {
                guard error.code == .full, error.advice.english.contains("not touched") else { exit(4) }
            }
            guard try Data(contentsOf: file) == before, folder.copies.isEmpty else { exit(5) }
            limit.rlim_cur = whole
            guard setrlimit(__rlimit_resource_t(1), &limit) == 0 else { exit(2) }
            let store = try folder.open(as: try #require(fixture.identity))
            guard try Fixture.shown(by: store)["logs"] == fixture.shown["logs"] else { exit(6) }
        }
    }

    /// Writes the fixture of the present version if `PARLANCE_FIXTURE` names that version (`Fixtures/README.md`).
    @Test(.enabled(if: ProcessInfo.processInfo.environment["PARLANCE_FIXTURE"] == "\(Schema.version)"))
    func fixtureOfThisVersionIsWritten() throws {
        var random = SeededGenerator(seed: 12)
        var party = try Party(seed: 12)
        let test = party.test
        let scenario = Scenario(me: test.log, &random, events: 60)
        try test.persist(conversations: scenario.conversations, scenario.shuffled(&random))
        party.bob.say("one", after: [party.creation.reference])
        party.eve.edit(party.eve.say("first").reference, "second")
        party.ada.delete(try #require(party.eve.reference(to: 1)), after: [try #require(party.eve.reference)])
        var other = party.bob.forked(after: 1, &random)
        party.bob.say("this")
        other.say("that")
        try test.persist(party.ada.events + party.eve.events)
        var feed = ForkFeed(PartedLogs([party.bob, other]))
        while let (branches, events) = feed.next(&random) {
            var batch = PersistBatch(id: BatchID(2))
            batch.branches = branches
            batch.events = events
            _ = try test.store.persist(batch)
        }
        #expect(try test.store.snapshot().branches.count == 2)
        var preference = Preference()
        (preference.isPinned, preference.mute) = (true, .until(1_760_000_000_000))
        var batch = PersistBatch(id: BatchID(3))
        batch.preferences = [PreferenceRecord(conversation: party.group, preference: preference)]
        _ = try test.store.persist(batch)
        try Fixture.write(test.store, of: test.folder, version: Schema.version)
        _ = try Fixture(version: Schema.version)
    }
}
