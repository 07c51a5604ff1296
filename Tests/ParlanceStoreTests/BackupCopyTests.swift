import Foundation
import GRDB
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceWire
import Testing

@testable import ParlanceStore

/// The copy of a store for a backup, and what may take its place.
@Suite struct BackupCopyTests {
    /// Writes a file into a new folder as a restore does; the folder is removed behind `body`.
    private func restoring(
        _ path: String,
        _ body: (RestoredStore, String) throws -> Void
    ) throws {
        let folder = NSTemporaryDirectory() + "/parlance-restored-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let restored = try RestoredStore(in: folder)
        for start in stride(from: 0, to: bytes.count, by: 5000) {
            try restored.append(Array(bytes[start..<min(start + 5000, bytes.count)]))
        }
        try body(restored, folder)
    }

    private func office() throws -> Office {
        var office = try Office(seed: 61)
        for number in 0..<40 { office.mine.say("text \(number)") }
        try office.test.persist(office.mine.events)
        _ = try office.test.store.beginEpoch()
        try office.test.store.raiseGeneration(to: 7)
        return office
    }

    @Test func aCopyIsTheStoreMarkedAsACopy() throws {
        var office = try office()
        var batch = PersistBatch(id: BatchID(3))
        let secret = SecretBytes(copying: Array(100..<132))
        batch.prekeys = [try OwnPrekey(secret: secret, made: 1_760_000_000_000, peer: nil)]
        let states: [TransferRecord.State] = [.done, .paused, .cancelled]
        batch.transfers = states.enumerated().map { number, state in
            TransferRecord(
                file: FileID(value: Bytes32(hashing: [UInt8(number)], domain: 0)),
                conversation: office.conversation.id,
                size: 10,
                state: state,
                isByHand: false,
                since: Int64(number)
            )
        }
        _ = try office.test.store.persist(batch)
        let path = try office.test.store.makeBackupCopy()
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        // The store goes on meanwhile.
        try office.test.persist([office.mine.say("later")])
        try restoring(path) { restored, folder in
            let contents = try restored.check()
            #expect(contents.identity == office.test.me && contents.replica == office.test.replica)
            #expect(contents.version == Schema.version)
            try restored.putInPlace()
        }
        var marks: StoreMarks?
        let other = office.test.folder + "-other"
        defer { office.test.remove(other) }
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: path, toPath: other + "/store.sqlite")
        let copy = try office.test.open(other) { found in
            marks = found
            return true
        }
        defer { copy.close() }
        #expect(try copy.history(office.conversation.id, limit: 100).map(\.text) == (0..<40).map { "text \($0)" })
        // No guard rises as far: by one every ten minutes.
        #expect(try #require(marks).generation == 7 + 1 << 32)
        #expect(try copy.snapshot().prekeys.isEmpty && !office.test.store.snapshot().prekeys.isEmpty)
        let kept = try copy.snapshot().transfers.sorted { $0.since < $1.since }.map(\.state)
        #expect(kept == [.removed, .paused, .cancelled], "no backup has files")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: other + "/store.sqlite"))
        #expect(bytes.range(of: Data(100..<132)) == nil, "the secret is not in the file")
    }

    @Test func copiesThatNobodyCameForAreDeleted() throws {
        let office = try office()
        let path = try office.test.store.makeBackupCopy()
        let second = try office.test.store.makeBackupCopy()
        #expect(FileManager.default.fileExists(atPath: path), "it was made a moment ago")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)],
            ofItemAtPath: path
        )
        let third = try office.test.store.makeBackupCopy()
        #expect(!FileManager.default.fileExists(atPath: path))
        try office.test.reopen()
        for path in [second, third] { #expect(!FileManager.default.fileExists(atPath: path)) }
        #expect(FileManager.default.fileExists(atPath: office.test.folder + "/store.sqlite"))
    }

    @Test(arguments: [
        "CREATE TRIGGER x AFTER INSERT ON event BEGIN DELETE FROM event; END", "CREATE VIEW x AS SELECT 1",
        "UPDATE meta SET generation = -1", "UPDATE meta SET generation = 9223372036854775807",
        "UPDATE meta SET epoch = 9223372036854775807", "UPDATE meta SET identity = x'00'", "DELETE FROM meta",
        "PRAGMA application_id = 1", "PRAGMA user_version = 99", "PRAGMA user_version = 0", "DROP TABLE meta",
    ])
    func aHostileStoreIsNotRestored(_ sql: String) throws {
        let office = try office()
        let path = try office.test.store.makeBackupCopy()
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
        try queue.close()
        var place = ""
        try restoring(path) { restored, folder in
            #expect(throws: StoreError.self) { try restored.check() }
            place = folder
        }
        #expect(!FileManager.default.fileExists(atPath: place + "/store.sqlite"))
    }

    @Test func aDamagedStoreIsNotRestored() throws {
        let seed = UInt64.random(in: 1 ... .max)
        var random = SeededGenerator(seed: seed)
        let office = try office()
        let path = try office.test.store.makeBackupCopy()
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        // Pages that are lost or zero, in the middle and at the end.
        for round in 0..<12 {
            var bytes = whole
            let page = 2048 * Int.random(in: 1..<(whole.count / 2048), using: &random)
            if round % 2 == 0 { bytes.removeSubrange(page...) } else { bytes.resetBytes(in: page..<(page + 2048)) }
            try bytes.write(to: URL(fileURLWithPath: path))
            try restoring(path) { restored, _ in
                let contents = try? restored.check()
                // A page that was free or empty may be missed; whatever is accepted is still this store.
                #expect(contents == nil || contents?.identity == office.test.me, "seed \(seed), page \(page)")
                if round % 2 == 0 { #expect(contents == nil, "seed \(seed), page \(page)") }
            }
        }
    }

    @Test func aFolderWithAStoreIsNotRestoredInto() throws {
        let office = try office()
        let error = #expect(throws: StoreError.self) { try RestoredStore(in: office.test.folder) }
        #expect(error?.code == .inUse)
        office.test.store.close()
        let closed = #expect(throws: StoreError.self) { try RestoredStore(in: office.test.folder) }
        #expect(closed?.code == .foreign)
    }
}
