import Foundation
import GRDB
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceStore
import ParlanceWire
import Testing

/// A store in its own folder, which is removed with it.
final class TestStore {
    let folder: String
    let me: PeerID
    let key: SigningKey
    let replica: ReplicaID
    private(set) var store: Store

    init(_ random: inout SeededGenerator) throws {
        folder = NSTemporaryDirectory() + "/parlance-store-\(UUID().uuidString)"
        key = try SigningKey(seed: SecretBytes(copying: random.bytes32().bytes))
        me = try #require(PeerID(key.publicKey))
        replica = random.replica()
        store = try Store.open(
            at: folder,
            identity: me,
            newReplica: replica,
            profile: ProfileRecord(name: "Ada"),
            isSameCopy: { _ in true }
        )
    }

    deinit {
        store.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    var log: LogID { LogID(author: me, replica: replica) }

    func reopen(isSameCopy: (StoreMarks) -> Bool = { _ in true }) throws {
        store.close()
        store = try open(folder, isSameCopy: isSameCopy)
    }

    /// Closes the store and removes what versions after the first have added.
    func makeFirstVersion() throws {
        store.close()
        let queue = try DatabaseQueue(path: folder + "/store.sqlite")
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    ALTER TABLE log DROP COLUMN floor; ALTER TABLE log DROP COLUMN cleared; DROP TABLE search_log; DROP TABLE search_message; DROP TABLE search_shard; DROP TABLE membership; DROP TABLE recipient; DROP TABLE about; DROP TABLE withdrawal; DROP TABLE label;
                    DROP TABLE given_up; DROP TABLE charter; DROP TABLE charter_event; DROP TABLE picture; DROP TABLE projection; DROP TABLE lifetime; DROP TABLE file_mention; DROP TABLE transfer; DROP TABLE workspace_key; DROP TABLE workspace_removed;
                    DROP TABLE preference; DROP TABLE withheld; DROP TABLE prekey; DROP TABLE envelope; ALTER TABLE peer DROP COLUMN courier;
                    ALTER TABLE peer DROP COLUMN prekeys; ALTER TABLE peer DROP COLUMN deposits; DROP INDEX missing_target; DROP TABLE IF EXISTS branch;
                    ALTER TABLE message DROP COLUMN flags; ALTER TABLE log DROP COLUMN mentions;
                    ALTER TABLE missing DROP COLUMN target; ALTER TABLE missing DROP COLUMN excused;
                    ALTER TABLE meta DROP COLUMN generation; ALTER TABLE meta DROP COLUMN ran; ALTER TABLE watermark DROP COLUMN learnt;
                    ALTER TABLE event DROP COLUMN via; ALTER TABLE event DROP COLUMN arrived; ALTER TABLE log DROP COLUMN written;
                    ALTER TABLE event DROP COLUMN written;
                    ALTER TABLE watermark DROP COLUMN via;
                    ALTER TABLE peer DROP COLUMN declined; ALTER TABLE peer DROP COLUMN trust_before; ALTER TABLE peer DROP COLUMN signed_addresses;
                    ALTER TABLE peer DROP COLUMN hours;
                    PRAGMA user_version = 1;
                    """
            )
        }
        try queue.close()
    }

    /// Records that local events have named a log up to a sequence.
    func name(_ log: LogID, through sequence: UInt64, in conversation: ConversationID) throws {
        var batch = PersistBatch(id: BatchID(2))
        batch.named = [NamedLog(conversation: conversation, log: log, sequence: sequence)]
        _ = try store.persist(batch)
    }

    func remove(_ folder: String) {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Opens a store as the same copy: it keeps its replica and does not take the one offered.
    func open(_ folder: String, isSameCopy: (StoreMarks) -> Bool = { _ in true }) throws -> Store {
        try Store.open(
            at: folder,
            identity: me,
            newReplica: otherReplica,
            profile: ProfileRecord(name: "other"),
            isSameCopy: isSameCopy
        )
    }

    /// The replica that is offered to a store when it is opened again.
    var otherReplica: ReplicaID { ReplicaID([UInt8](repeating: 9, count: ReplicaID.count)) ?? replica }

    @discardableResult
    func persist(
        conversations: [ConversationRecord] = [],
        _ events: [StoredEvent],
        at wall: Int64 = 0
    ) throws -> PersistReceipt {
        var batch = PersistBatch(id: BatchID(1))
        batch.wall = wall
        batch.conversations = conversations
        batch.events = events
        return try store.persist(batch)
    }

    /// Copies the files as a crash at this moment would leave them. Another process does it, because closing a database
    /// file drops this process's locks on it.
    func copyFiles(to other: String) throws {
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        let copy = Process()
        copy.executableURL = URL(fileURLWithPath: "/bin/cp")
        copy.arguments = [folder + "/store.sqlite", folder + "/store.sqlite-wal", other]
        try copy.run()
        copy.waitUntilExit()
        guard copy.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// The write-ahead log as a crash at this moment would leave it.
    func writeAheadLog() throws -> Data {
        let copy = folder + "/copy"
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try copyFiles(to: copy)
        return try Data(contentsOf: URL(fileURLWithPath: copy + "/store.sqlite-wal"))
    }

    /// Whether a text is anywhere in the files, as a crash at this moment would leave them.
    func isOnDisk(_ text: String) throws -> Bool {
        let copy = folder + "/copy"
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try copyFiles(to: copy)
        return try ["/store.sqlite", "/store.sqlite-wal"].contains { name in
            try Data(contentsOf: URL(fileURLWithPath: copy + name)).range(of: Data(text.utf8)) != nil
        }
    }
}
