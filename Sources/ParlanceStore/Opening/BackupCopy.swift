import Foundation
import GRDB
import ParlanceWords

/// A copy of a store for a backup, in the store's folder, marked so that a node that starts with it is a new replica.
///
/// Whoever asked for it opens and deletes it at once. One that is left, because that program was killed, is deleted before
/// the next one is made, and when the store is opened.
struct BackupCopy {
    let folder: StoreFolder

    private static let prefix = "backup-"
    private static let suffix = ".sqlite"
    /// What is added to the generation. The guard of the store rises by 1 every 10 minutes, so it never gets there: a copy
    /// is ahead of every guard, which tells it from the store itself (identity.md, "Replica").
    private static let generationStep: Int64 = 1 << 32
    /// The time within which a copy is opened, in seconds.
    private static let patience: Double = 60

    /// Makes a copy.
    ///
    /// - Returns: its path.
    func make() throws(StoreError) -> String {
        deleteOld(before: Date(timeIntervalSinceNow: -Self.patience))
        let path = folder.path + "/" + Self.prefix + UUID().uuidString.lowercased() + Self.suffix
        do {
            try VacuumCopy.make(of: folder.database, at: path)
            try Self.mark(path)
            return path
        } catch {
            unlink(path)
            throw failure(error)
        }
    }

    /// Marks the copy, and erases the prekeys: what was sealed to them must not be readable for longer than without a
    /// backup. A restored node makes others. No backup has the files that others sent, so none is there.
    private static func mark(_ path: String) throws {
        var configuration = Configuration()
        configuration.journalMode = .default
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA secure_delete = ON;
                    PRAGMA synchronous = OFF;
                    DELETE FROM prekey;
                    \(TransferTable.removingAll);
                    UPDATE meta SET generation = generation + \(generationStep);
                    """
            )
        }
    }

    /// Deletes the copies that nobody came for.
    func deleteOld(before moment: Date = .distantFuture) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix(Self.prefix) && name.contains(Self.suffix) {
            let path = folder.path + "/" + name
            let made = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            if let made, made < moment { unlink(path) }
        }
    }

    private func failure(_ error: any Error) -> StoreError {
        var found = StoreError(error)
        if let error = error as? VacuumCopy.SystemFailure { found.cause = "system error \(error.code)" }
        guard found.code == .full else {
            return StoreError(
                .busy,
                "The message store could not be copied for the backup.",
                advice: "Check the folder \(folder.path) and its disk, then try again; nothing was changed.",
                cause: found.cause
            )
        }
        return StoreError(
            .full,
            "There is no room for a copy of the message store, from which the backup is made.",
            advice: "Make room in \(folder.path) for another file of the size of store.sqlite, then try again.",
            cause: found.cause
        )
    }
}

extension Store {
    /// Makes a copy of the store for a backup, as it is at this moment; nobody waits meanwhile.
    ///
    /// - Returns: the path of a file in the store's folder, which the caller has to delete.
    package func makeBackupCopy() throws(StoreError) -> String {
        let folder = pool.path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        return try BackupCopy(folder: StoreFolder(path: folder)).make()
    }
}
