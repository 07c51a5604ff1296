import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceStore
import ParlanceTestKit
import ParlanceWire

/// The real SQLite store behind a simulated disk, in a separate folder.
final class StoreDisk: RealDisk {
    /// The files of a folder.
    private struct Files {
        var database = Data()
        var log = Data()
    }

    private let identity: PeerID
    private let name: String
    private let base: String
    private var replica: ReplicaID
    private var folders = 0
    private var store: Store
    private var backup: Files?
    private var random: SeededGenerator

    init(_ node: SimulatedNode, seed: UInt64) throws {
        identity = node.identity
        name = node.name
        replica = node.replica
        random = SeededGenerator(seed: seed)
        let memory = "/dev/shm"
        let parent = FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
        base = "\(parent)/parlance-simulate-\(getpid())/\(seed)-\(node.name)"
        store = try Self.open("\(base)/0", identity, replica, name)
    }

    private static func open(_ folder: String, _ identity: PeerID, _ replica: ReplicaID, _ name: String) throws -> Store
    {
        try Store.open(at: folder, identity: identity, newReplica: replica, profile: ProfileRecord(name: name)) {
            $0.replica == replica
        }
    }

    private var folder: String { "\(base)/\(folders)" }

    func persist(_ batch: PersistBatch) throws -> PersistReceipt {
        let receipt = try store.persist(batch)
        replica = batch.replica ?? replica
        try store.maintain()
        return receipt
    }

    func read(_ request: ReadRequest) throws -> [StoredEvent] { try store.events(request) }

    func beginEpoch() throws -> UInt64 { try store.beginEpoch() }

    func snapshot() throws -> EngineSnapshot { try store.snapshot() }

    func history(of conversation: ConversationID) throws -> [ShownMessage] {
        var all: [ShownMessage] = []
        while true {
            let page = try store.history(conversation, before: all.first?.id, limit: 20)
            if page.isEmpty { return all }
            let isAgain = page.last?.id == all.first?.id
            all = page + all
            // A page that begins with the last item of the previous page would never end the paging.
            if isAgain { return all }
        }
    }

    func waiting(of logs: Set<LogID>, in conversation: ConversationID) throws -> [ShownMessage] {
        try store.waitingMessages(of: logs, in: conversation).messages
    }

    func unread(in conversation: ConversationID) throws -> (unread: Int, mentions: Int) {
        let summary = try store.summary(of: conversation)
        return (summary?.unread ?? 0, summary?.mentions ?? 0)
    }

    func conversations() throws -> [ConversationID] { try store.conversations().map(\.record.id) }

    func own(in log: LogID, of conversation: ConversationID) throws -> [ShownMessage] {
        try store.ownMessages(conversation, log: log, after: 0, limit: Int.max)
    }

    func versions(of message: EventReference, in conversation: ConversationID) throws -> [String?] {
        try store.versions(of: message, in: conversation).map(\.text)
    }

    func rebuild() throws { try store.rebuildProjections() }

    // Crashes and backups.

    /// Leaves the files as a crash at this moment would: with part of the batch that was being written, or with nothing
    /// of it.
    func crash(tearing torn: PersistBatch?) throws {
        var files = try copy()
        if let torn {
            _ = try store.persist(torn)
            let after = try copy()
            if after.database == files.database { files.log = mix(files.log, after.log) }
        }
        try replace(with: files)
    }

    /// A write-ahead log during a write: its new bytes up to some position, followed by the old bytes. The last byte
    /// that changes is never there, since otherwise the batch would be complete.
    private func mix(_ before: Data, _ after: Data) -> Data {
        guard let last = after.indices.last(where: { $0 >= before.count || before[$0] != after[$0] }) else {
            return before
        }
        let first = after.indices.first { $0 >= before.count || before[$0] != after[$0] } ?? 0
        let cut = first + Int(random.below(Int64(last - first)))
        return after.prefix(cut) + before.dropFirst(cut)
    }

    func backUp(asFile: Bool) throws {
        guard asFile else {
            backup = try copy()
            return
        }
        let path = try store.makeBackupCopy()
        defer { unlink(path) }
        backup = Files(database: try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    func restore(as replica: ReplicaID) throws {
        self.replica = replica
        try replace(with: backup)
    }

    func swapCopies(as replica: ReplicaID) throws {
        let left = try copy()
        try restore(as: replica)
        backup = left
    }

    private func copy() throws -> Files {
        Files(
            database: try Data(contentsOf: URL(fileURLWithPath: "\(folder)/store.sqlite")),
            log: (try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/store.sqlite-wal"))) ?? Data()
        )
    }

    private func replace(with files: Files?) throws {
        store.close()
        try? FileManager.default.removeItem(atPath: folder)
        folders += 1
        if let files {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try files.database.write(to: URL(fileURLWithPath: "\(folder)/store.sqlite"))
            try files.log.write(to: URL(fileURLWithPath: "\(folder)/store.sqlite-wal"))
        }
        store = try Self.open(folder, identity, replica, name)
    }

    func remove() {
        store.close()
        try? FileManager.default.removeItem(atPath: base)
        // The last store of this process removes the common folder.
        rmdir((base as NSString).deletingLastPathComponent)
    }
}
